// The floor: a room relay that does what the wire asks for and nothing else. It unmasks a frame, looks at
// its type, and queues a constant frame for the others in the room. It checks no ticket, no UTF-8 and no
// limit, so what it costs is the kernel's TCP: a server is judged by its ratio to it in the same run.
//
//     floor PORT
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "handshake.h"

#define ALE "\x82\x16{\"type\":\"aleResponse\"}"
#define WANTED "{\"type\":\"ale\""

enum { aleBytes = sizeof ALE - 1, repeats = 1024, bucketCount = 65536, readBytes = 256 * 1024 };

typedef struct Member Member;

typedef struct Room {
    struct Room *next; // In the same bucket.
    char id[idBytes];
    Member **members;
    int count, capacity;
} Room;

struct Member {
    int descriptor;
    Room *room; // None before the handshake.
    int seat;
    uint32_t waiting; // Ales that are to be sent to it: all are equal, so a number is the whole queue.
    uint32_t sent;    // Bytes of the first of them that have left.
    uint8_t *rest;    // The beginning of a request or a frame whose end has not arrived.
    size_t restBytes;
    bool touched, blocked, gone;
    Member *nextGone;
};

static int epoll;
static Room *buckets[bucketCount];
static uint8_t ales[aleBytes * repeats];
static uint8_t input[readBytes];
static Member **touched;
static size_t touchedCount, touchedCapacity;
static Member *gone;

static void watch(Member *member, int operation, bool blocked) {
    struct epoll_event event = {.events = EPOLLIN | (blocked ? EPOLLOUT : 0u), .data.ptr = member};
    epoll_ctl(epoll, operation, member->descriptor, &event);
    member->blocked = blocked;
}

// Its memory goes at the end of the turn: events that were reported already may still name it.
static void leave(Member *member) {
    if (member->gone) return;
    member->gone = true;
    close(member->descriptor);
    Room *room = member->room;
    if (room) {
        Member *last = room->members[--room->count];
        room->members[member->seat] = last;
        last->seat = member->seat;
    }
    member->nextGone = gone;
    gone = member;
}

static void sendWaiting(Member *member) {
    while (member->waiting > 0) {
        size_t bytes = (size_t)member->waiting * aleBytes - member->sent;
        if (bytes > sizeof ales - member->sent) bytes = sizeof ales - member->sent;
        ssize_t count = send(member->descriptor, ales + member->sent, bytes, MSG_NOSIGNAL);
        if (count < 0 && errno != EAGAIN) return leave(member);
        size_t left = member->sent + (count < 0 ? 0 : (size_t)count);
        member->waiting -= (uint32_t)(left / aleBytes);
        member->sent = (uint32_t)(left % aleBytes);
        if (count < (ssize_t)bytes) {
            if (!member->blocked) watch(member, EPOLL_CTL_MOD, true);
            return;
        }
    }
    if (member->blocked) watch(member, EPOLL_CTL_MOD, false);
}

static void relay(Member *sender) {
    Room *room = sender->room;
    for (int seat = 0; seat < room->count; seat++) {
        Member *member = room->members[seat];
        if (member == sender) continue;
        member->waiting++;
        if (member->touched) continue;
        member->touched = true;
        if (touchedCount == touchedCapacity) {
            touchedCapacity = touchedCapacity ? touchedCapacity * 2 : 4096;
            touched = realloc(touched, touchedCapacity * sizeof *touched);
        }
        touched[touchedCount++] = member;
    }
}

static Room *roomNamed(const char *id) {
    uint64_t hash = 14695981039346656037u; // FNV-1a
    for (const char *byte = id; *byte; byte++) hash = (hash ^ (uint8_t)*byte) * 1099511628211u;
    Room **bucket = &buckets[hash % bucketCount];
    for (Room *room = *bucket; room; room = room->next)
        if (strcmp(room->id, id) == 0) return room;
    Room *room = calloc(1, sizeof *room);
    strcpy(room->id, id);
    room->next = *bucket;
    return *bucket = room;
}

static void enter(Member *member, Room *room) {
    if (room->count == room->capacity) {
        room->capacity = room->capacity ? room->capacity * 2 : 2;
        room->members = realloc(room->members, (size_t)room->capacity * sizeof *room->members);
    }
    member->room = room;
    member->seat = room->count;
    room->members[room->count++] = member;
}

// Answers a whole request and seats the member; returns the request's length, 0: more has to arrive, -1: it
// is no handshake.
static ssize_t takeHandshake(Member *member, const char *request, size_t bytes) {
    char id[idBytes], answer[answerBytes];
    ssize_t length = answerHandshake(request, bytes, id, answer);
    if (length <= 0) return length;
    enter(member, roomNamed(id));
    return send(member->descriptor, answer, strlen(answer), MSG_NOSIGNAL) < 0 ? -1 : length;
}

// Reads one frame and relays it; returns its length, 0: more has to arrive, -1: the member is leaving.
static ssize_t takeFrame(Member *member, uint8_t *frame, size_t bytes) {
    if (bytes < 6) return 0;
    size_t length = frame[1] & 0x7f, head = 6;
    int opcode = frame[0] & 0x0f;
    if (opcode == 8 || length == 127 || !(frame[1] & 0x80)) return -1;
    if (length == 126) {
        if (bytes < 8) return 0;
        length = (size_t)frame[2] << 8 | frame[3];
        head = 8;
    }
    if (bytes < head + length) return 0;
    uint8_t *payload = frame + head, *key = payload - 4;
    for (size_t index = 0; index < length; index++) payload[index] ^= key[index & 3];
    bool isAle = length >= sizeof WANTED - 1 && memcmp(payload, WANTED, sizeof WANTED - 1) == 0;
    if (isAle && opcode <= 2) relay(member);
    return (ssize_t)(head + length);
}

static void readFrom(Member *member) {
    size_t bytes = member->restBytes, taken = 0;
    if (bytes > 0) memcpy(input, member->rest, bytes);
    ssize_t count = recv(member->descriptor, input + bytes, readBytes - bytes, 0);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return leave(member);
    bytes += (size_t)count;
    for (ssize_t length = 1; length > 0 && taken < bytes; taken += (size_t)length) {
        uint8_t *next = input + taken;
        length = member->room ? takeFrame(member, next, bytes - taken)
                              : takeHandshake(member, (char *)next, bytes - taken);
        if (length < 0) return leave(member);
    }
    member->restBytes = bytes - taken;
    if (member->restBytes == 0) return;
    member->rest = realloc(member->rest, member->restBytes);
    memcpy(member->rest, input + taken, member->restBytes);
}

static void acceptFrom(int listener) {
    for (int turn = 0; turn < 64; turn++) {
        int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), one = 1;
        if (descriptor < 0) return;
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        Member *member = calloc(1, sizeof *member);
        member->descriptor = descriptor;
        watch(member, EPOLL_CTL_ADD, false);
    }
}

static void turn(int listener) {
    static struct epoll_event events[1024];
    int count = epoll_wait(epoll, events, 1024, -1);
    for (int index = 0; index < count; index++) {
        Member *member = events[index].data.ptr;
        if (!member) acceptFrom(listener);
        else if (!member->gone && events[index].events & ~(uint32_t)EPOLLOUT) readFrom(member);
        if (member && !member->gone && events[index].events & EPOLLOUT) sendWaiting(member);
    }
    for (size_t index = 0; index < touchedCount; index++) {
        touched[index]->touched = false;
        if (!touched[index]->gone && !touched[index]->blocked) sendWaiting(touched[index]);
    }
    touchedCount = 0;
    for (Member *member = gone; member; member = gone) {
        gone = member->nextGone;
        free(member->rest);
        free(member);
    }
}

int main(int count, char **words) {
    int port = count == 2 ? atoi(words[1]) : 0, one = 1;
    if (port < 1 || port > 65535) return fputs("floor PORT: the barest relay, on loopback.\n", stderr), 2;
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    for (int index = 0; index < repeats; index++) memcpy(ales + index * aleBytes, ALE, aleBytes);

    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 4096) != 0)
        return perror("floor"), 1;
    epoll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
    for (;;) turn(listener);
}
