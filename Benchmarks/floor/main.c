// The floor: a room relay that does what the wire asks for and nothing else. It unmasks a frame, looks at its
// type, and queues a constant frame for the others in the room. It checks no ticket and no limit, so it costs
// what the kernel's TCP does: a server is judged by its ratio to it in the same run. Usage: floor PORT
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#define MEMBER_OF_FLOOR
#include "relay.h"

static int epoll, listener;
static uint8_t input[256 * 1024];

static void watch(int descriptor, int operation, unsigned events) {
    epoll_ctl(epoll, operation, descriptor, &(struct epoll_event){.events = events, .data.fd = descriptor});
}

static void leave(Member *member) {
    leaveRoom(member);
    close(descriptorOf(member));
    *member = (Member){0};
}

// A member is watched for room to write exactly while something waits for it from one turn to the next.
static void sendWaiting(Member *member, bool isWatched) {
    size_t bytes;
    const uint8_t *start = nextBytes(member, &bytes);
    ssize_t count = send(descriptorOf(member), start, bytes, MSG_NOSIGNAL);
    if (count < 0 && errno != EAGAIN) return leave(member);
    if (count > 0) member->waiting -= (size_t)count;
    unsigned events = member->waiting > 0 ? EPOLLIN | EPOLLOUT : EPOLLIN;
    if ((member->waiting > 0) != isWatched) watch(descriptorOf(member), EPOLL_CTL_MOD, events);
}

// Answers a whole request and gives the member a place; returns its length, 0: not whole yet, -1: no handshake.
static ssize_t takeHandshake(Member *member, uint8_t *start, size_t bytes) {
    char answer[answerBytes];
    Member **room;
    ssize_t taken = readHandshake(start, bytes, answer, &room), length = taken > 0 ? (ssize_t)strlen(answer) : 0;
    if (taken <= 0) return taken;
    if (send(descriptorOf(member), answer, (size_t)length, MSG_NOSIGNAL) != length) return -1;
    enterRoom(member, room);
    return taken;
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
    epoll = epoll_create1(0), listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    bool isBound = address.sin_port && !bind(listener, (struct sockaddr *)&address, sizeof address);
    if (!isBound || !prepare() || listen(listener, 4096)) return perror("floor PORT"), 1;
    watch(listener, EPOLL_CTL_ADD, EPOLLIN);
    for (;;) takeTurn();
}
