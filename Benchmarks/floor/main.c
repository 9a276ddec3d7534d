// The floor: a room relay that does what the wire asks for and nothing else. It unmasks a frame, looks at its
// type, and queues a constant frame for the others in the room. It checks no ticket and no limit, so it costs
// what the kernel's TCP does: a server is judged by its ratio to it in the same run. Usage: floor PORT
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <search.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#define ALE "\x82\x16{\"type\":\"aleResponse\"}"
#define WANTED "{\"type\":\"ale\""
#define ANSWER "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" \
    "Sec-WebSocket-Accept: %s\r\n\r\n\x82\x14{\"type\":\"handshake\"}"

enum { aleBytes = sizeof ALE - 1, repeats = 1024, headBytes = 8192, membersAtMost = 65536 };

typedef struct Member {
    struct Member **room; // Where the list of the room's members begins; none before the handshake.
    struct Member *next;  // In that list.
    size_t waiting;       // Bytes that are to be sent: all ales are equal, so this is the whole queue.
    uint8_t *rest;        // The beginning of a request or a frame whose end has not arrived.
    size_t restBytes;
} Member;

static int epoll, listener, touchedCount;
static uint8_t ales[aleBytes * repeats], input[256 * 1024];
static Member members[membersAtMost], *touched[membersAtMost]; // By descriptor; those with new output.

static int descriptorOf(const Member *member) { return (int)(member - members); }

static void watch(int descriptor, int operation, unsigned events) {
    epoll_ctl(epoll, operation, descriptor, &(struct epoll_event){.events = events, .data.fd = descriptor});
}

static void leave(Member *member) {
    Member **link = member->room;
    while (link && *link != member) link = &(*link)->next;
    if (link) *link = member->next;
    free(member->rest);
    close(descriptorOf(member));
    *member = (Member){0};
}

// A member is watched for room to write exactly while something waits for it from one turn to the next.
static void sendWaiting(Member *member, bool isWatched) {
    size_t begun = (aleBytes - member->waiting % aleBytes) % aleBytes, bytes = sizeof ales - begun;
    if (bytes > member->waiting) bytes = member->waiting;
    ssize_t count = send(descriptorOf(member), ales + begun, bytes, MSG_NOSIGNAL);
    if (count < 0 && errno != EAGAIN) return leave(member);
    if (count > 0) member->waiting -= (size_t)count;
    unsigned events = member->waiting > 0 ? EPOLLIN | EPOLLOUT : EPOLLIN;
    if ((member->waiting > 0) != isWatched) watch(descriptorOf(member), EPOLL_CTL_MOD, events);
}

// Answers a whole request and gives the member a place; returns its length, 0: not whole yet, -1: no handshake.
static ssize_t takeHandshake(Member *member, uint8_t *start, size_t bytes) {
    char *request = (char *)start, *end = memmem(start, bytes, "\r\n\r\n", 4);
    char id[64], key[128], answer[512];
    if (!end) return bytes < headBytes ? 0 : -1;
    end[3] = 0;
    char *name = strstr(request, "id="), *field = strcasestr(request, "\nSec-WebSocket-Key:");
    if (!name || sscanf(name, "id=%63[^& \r\n]", id) != 1) return -1;
    if (!field || sscanf(field, "%*[^:]: %63[^ \r\n]", key) != 1) return -1;
    uint8_t digest[SHA_DIGEST_LENGTH], accept[32];
    strcat(key, "258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    EVP_EncodeBlock(accept, SHA1((uint8_t *)key, strlen(key), digest), sizeof digest);
    int length = snprintf(answer, sizeof answer, ANSWER, (char *)accept);
    ENTRY *room = hsearch((ENTRY){.key = id}, FIND);
    if (!room) room = hsearch((ENTRY){strdup(id), calloc(1, sizeof(Member *))}, ENTER);
    if (!room || send(descriptorOf(member), answer, (size_t)length, MSG_NOSIGNAL) != length) return -1;
    member->room = room->data;
    member->next = *member->room;
    *member->room = member;
    return end + 4 - request;
}

// Reads one frame and relays it; returns its length, 0: not whole yet, -1: the member is leaving.
static ssize_t takeFrame(Member *member, uint8_t *frame, size_t bytes) {
    if (bytes < 6) return 0;
    size_t length = frame[1] & 0x7f, head = length == 126 ? 8 : 6;
    if ((frame[0] & 0x0f) == 8 || length == 127 || !(frame[1] & 0x80)) return -1;
    if (length == 126) length = (size_t)frame[2] << 8 | frame[3];
    if (bytes < head + length) return 0;
    uint8_t *payload = frame + head, *key = payload - 4;
    for (size_t index = 0; index < length; index++) payload[index] ^= key[index & 3];
    bool isAle = length >= sizeof WANTED - 1 && memcmp(payload, WANTED, sizeof WANTED - 1) == 0;
    for (Member *other = *member->room; isAle && other; other = other->next) {
        if (other == member) continue;
        if (other->waiting == 0) touched[touchedCount++] = other;
        other->waiting += aleBytes;
    }
    return (ssize_t)(head + length);
}

static void readFrom(Member *member) {
    size_t taken = 0, bytes = member->restBytes;
    if (bytes > 0) memcpy(input, member->rest, bytes);
    ssize_t count = recv(descriptorOf(member), input + bytes, sizeof input - bytes, 0), length = 1;
    if (count <= 0) return count < 0 && errno == EAGAIN ? (void)0 : leave(member);
    for (bytes += (size_t)count; length > 0 && taken < bytes; taken += (size_t)length) {
        length = (member->room ? takeFrame : takeHandshake)(member, input + taken, bytes - taken);
        if (length < 0) return leave(member);
    }
    if ((member->restBytes = bytes - taken) == 0) return;
    member->rest = realloc(member->rest, member->restBytes);
    memcpy(member->rest, input + taken, member->restBytes);
}

static void acceptAll(void) {
    for (int one = 1, descriptor; (descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0;) {
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        watch(descriptor, EPOLL_CTL_ADD, EPOLLIN);
    }
}

static void takeTurn(void) {
    static struct epoll_event events[1024];
    int count = epoll_wait(epoll, events, 1024, -1);
    for (struct epoll_event *event = events; event < events + count; event++) {
        Member *member = &members[event->data.fd];
        if (event->data.fd == listener) acceptAll();
        else if (event->events & ~(unsigned)EPOLLOUT) readFrom(member);
        if (event->events & EPOLLOUT && member->waiting > 0) sendWaiting(member, true);
    }
    for (int index = 0; index < touchedCount; index++)
        if (touched[index]->waiting > 0) sendWaiting(touched[index], false);
    touchedCount = 0;
}

int main(int count, char **words) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    address.sin_port = htons((uint16_t)(count == 2 ? atoi(words[1]) : 0));
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){membersAtMost, membersAtMost});
    for (int index = 0; index < repeats; index++) memcpy(ales + index * aleBytes, ALE, aleBytes);
    epoll = epoll_create1(0), listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    bool isBound = address.sin_port && !bind(listener, (struct sockaddr *)&address, sizeof address);
    if (!isBound || !hcreate(2 * membersAtMost) || listen(listener, 4096)) return perror("floor PORT"), 1;
    watch(listener, EPOLL_CTL_ADD, EPOLLIN);
    for (;;) takeTurn();
}
