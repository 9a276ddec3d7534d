// The floor on io_uring: the relay of Benchmarks/floor, which waits in a ring of the kernel instead of epoll. One
// request accepts all connections, one for each socket brings its bytes in buffers of the ring, and the frames of a
// turn are sent by the system call that waits for the next one. Usage: ring-floor PORT
#define _GNU_SOURCE
#include <errno.h>
#include <linux/io_uring.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// A member also has a generation, which changes when the descriptor is closed; whether a request tells when there is
// room to write; and whether the socket was shut down, and is closed once nothing reads it.
#define MEMBER_OF_FLOOR \
    uint16_t generation; \
    bool isBlocked, isLeaving;
#include "../floor/relay.h"

enum { requestsAtMost = 1024, completionsAtMost = 8192, buffersAtMost = 512, bufferBytes = 2048, answersAtMost = 256 };

// The name of a request, which its completion carries.
typedef union {
    struct { uint16_t kind, descriptor, generation, bytes; };
    uint64_t word;
} Name;
enum { accepting, receiving, answering, sending, polling };

static int ring, listener, answerCount;
static uint8_t input[headBytes + 256 * 1024];
static char answers[answersAtMost][answerBytes]; // Those that are not submitted.

static unsigned written, submitted, requestMask, completionMask; // The count of requests ever made, and submitted.
static unsigned *requestTail, *requestFlags, *completionHead, *completionTail;
static struct io_uring_sqe *requests;
static struct io_uring_cqe *completions;
static struct io_uring_buf_ring *bufferRing;
static uint8_t buffers[buffersAtMost][bufferBytes];
static uint16_t bufferTail;

// Submits all requests, and waits until so many completions are there.
static void enter(unsigned least) {
    __atomic_store_n(requestTail, written, __ATOMIC_RELEASE);
    do {
        long count = syscall(SYS_io_uring_enter, ring, written - submitted, least, IORING_ENTER_GETEVENTS, NULL, 0);
        if (count > 0) submitted += (unsigned)count;
        if (count < 0 && errno != EINTR) sched_yield();
    } while (written != submitted);
    answerCount = 0;
}

// A request that is to be filled further; it is submitted at the end of the turn, or when the queue is full.
static struct io_uring_sqe *ask(uint8_t operation, uint16_t kind, int descriptor) {
    if (written - submitted > requestMask) enter(0);
    struct io_uring_sqe *request = &requests[written++ & requestMask];
    Name name = {{kind, (uint16_t)descriptor, members[descriptor].generation, 0}};
    *request = (struct io_uring_sqe){.opcode = operation, .fd = descriptor, .user_data = name.word};
    return request;
}

static void askToAccept(void) { ask(IORING_OP_ACCEPT, accepting, listener)->ioprio = IORING_ACCEPT_MULTISHOT; }

static void askToReceive(Member *member) {
    struct io_uring_sqe *request = ask(IORING_OP_RECV, receiving, descriptorOf(member));
    request->ioprio = IORING_RECV_MULTISHOT;
    request->flags = IOSQE_BUFFER_SELECT;
}

// Only a failure is told, and a send that was short: the others are over when they were submitted.
static void askToSend(Member *member, uint16_t kind, const void *start, size_t bytes) {
    struct io_uring_sqe *request = ask(IORING_OP_SEND, kind, descriptorOf(member));
    request->flags = IOSQE_CQE_SKIP_SUCCESS;
    request->addr = (uintptr_t)start;
    request->len = (uint32_t)bytes;
    request->msg_flags = MSG_NOSIGNAL | MSG_DONTWAIT | MSG_WAITALL;
    request->user_data = (Name){{kind, (uint16_t)descriptorOf(member), member->generation, (uint16_t)bytes}}.word;
}

static void askForRoom(Member *member) {
    if (member->isBlocked) return;
    member->isBlocked = true;
    ask(IORING_OP_POLL_ADD, polling, descriptorOf(member))->poll32_events = POLLOUT;
}

// Lends a buffer to the kernel.
static void lend(uint16_t number) {
    struct io_uring_buf *place = &bufferRing->bufs[bufferTail++ & (buffersAtMost - 1)];
    place->addr = (uintptr_t)buffers[number];
    place->len = bufferBytes;
    place->bid = number;
    __atomic_store_n(&bufferRing->tail, bufferTail, __ATOMIC_RELEASE);
}

// The request that receives ends with this, and then the descriptor is closed.
static void leave(Member *member) {
    shutdown(descriptorOf(member), SHUT_RDWR);
    member->isLeaving = true;
}

static void finish(Member *member) {
    leaveRoom(member);
    leave(member); // A request that waits for room ends, too.
    close(descriptorOf(member));
    *member = (Member){.generation = (uint16_t)(member->generation + 1)};
}

// What is submitted counts as sent until its completion says something else.
static void sendWaiting(Member *member) {
    size_t bytes;
    const uint8_t *start = nextBytes(member, &bytes);
    askToSend(member, sending, start, bytes);
    member->waiting -= bytes;
    if (member->waiting > 0) askForRoom(member);
}

// Answers a whole request and gives the member a place; returns its length, 0: not whole yet, -1: no handshake.
static ssize_t takeHandshake(Member *member, uint8_t *start, size_t bytes) {
    if (answerCount == answersAtMost) enter(0);
    char *answer = answers[answerCount];
    Member **room;
    ssize_t taken = readHandshake(start, bytes, answer, &room);
    if (taken <= 0) return taken;
    answerCount++;
    askToSend(member, answering, answer, strlen(answer));
    enterRoom(member, room);
    return taken;
}

static void take(Member *member, uint8_t *start, size_t bytes) {
    size_t taken = 0;
    if (member->restBytes > 0) {
        memcpy(input, member->rest, member->restBytes);
        memcpy(input + member->restBytes, start, bytes);
        start = input, bytes += member->restBytes;
    }
    for (ssize_t length = 1; length > 0 && taken < bytes; taken += (size_t)length) {
        length = (member->room ? takeFrame : takeHandshake)(member, start + taken, bytes - taken);
        if (length < 0) return leave(member);
    }
    if ((member->restBytes = bytes - taken) == 0) return;
    member->rest = realloc(member->rest, member->restBytes);
    memcpy(member->rest, start + taken, member->restBytes);
}

static void received(Member *member, int result, unsigned flags) {
    uint16_t number = (uint16_t)(flags >> IORING_CQE_BUFFER_SHIFT);
    if (result > 0 && !member->isLeaving) take(member, buffers[number], (size_t)result);
    if (flags & IORING_CQE_F_BUFFER) lend(number);
    if (flags & IORING_CQE_F_MORE) return;
    // The request is over, too, when no buffer was left or no place for a completion.
    if (result > 0 || result == -ENOBUFS) askToReceive(member);
    else finish(member);
}

static void notSent(Member *member, int result, size_t bytes) {
    if (result < 0 && result != -EAGAIN) return leave(member);
    member->waiting += bytes - (size_t)(result > 0 ? result : 0);
    askForRoom(member);
}

static void completed(Name name, int result, unsigned flags) {
    Member *member = &members[name.descriptor];
    if (name.kind == accepting) {
        if (result >= 0) askToReceive(&members[result]);
        if (!(flags & IORING_CQE_F_MORE)) askToAccept();
    } else if (name.generation == member->generation) {
        if (name.kind == receiving) received(member, result, flags);
        if (name.kind == answering) leave(member);
        if (name.kind == sending) notSent(member, result, name.bytes);
        if (name.kind == polling) {
            member->isBlocked = false;
            if (member->waiting > 0) touched[touchedCount++] = member;
        }
    }
}

static void takeCompletions(void) {
    unsigned head = *completionHead, tail = __atomic_load_n(completionTail, __ATOMIC_ACQUIRE);
    for (; head != tail; head++) {
        struct io_uring_cqe completion = completions[head & completionMask];
        __atomic_store_n(completionHead, head + 1, __ATOMIC_RELEASE);
        completed((Name){.word = completion.user_data}, completion.res, completion.flags);
    }
}

// All completions are seen before anything is sent, since one of them may say that the last frame is not out yet.
static void takeTurn(void) {
    enter(1);
    takeCompletions();
    while (__atomic_load_n(requestFlags, __ATOMIC_ACQUIRE) & IORING_SQ_CQ_OVERFLOW) enter(0), takeCompletions();
    for (int index = 0; index < touchedCount; index++)
        if (touched[index]->waiting > 0 && !touched[index]->isBlocked) sendWaiting(touched[index]);
    touchedCount = 0;
}

static void *map(size_t bytes, int descriptor, off_t offset) {
    int flags = descriptor < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED | MAP_POPULATE;
    void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, descriptor, offset);
    return start == MAP_FAILED ? perror("mmap"), exit(1), NULL : start;
}

// Makes the ring; returns whether the kernel can and permits it.
static bool makeRing(void) {
    struct io_uring_params with = {.cq_entries = completionsAtMost};
    with.flags = IORING_SETUP_CQSIZE | IORING_SETUP_CLAMP | IORING_SETUP_SUBMIT_ALL | IORING_SETUP_SINGLE_ISSUER
        | IORING_SETUP_DEFER_TASKRUN;
    if ((ring = (int)syscall(SYS_io_uring_setup, requestsAtMost, &with)) < 0) return false;
    size_t places = with.sq_off.array + with.sq_entries * sizeof(unsigned);
    size_t ends = with.cq_off.cqes + with.cq_entries * sizeof *completions;
    char *queues = map(places > ends ? places : ends, ring, IORING_OFF_SQ_RING);
    requests = map(with.sq_entries * sizeof *requests, ring, IORING_OFF_SQES);
    completions = (struct io_uring_cqe *)(queues + with.cq_off.cqes);
    requestTail = (unsigned *)(queues + with.sq_off.tail), requestFlags = (unsigned *)(queues + with.sq_off.flags);
    completionHead = (unsigned *)(queues + with.cq_off.head);
    completionTail = (unsigned *)(queues + with.cq_off.tail);
    requestMask = with.sq_entries - 1, completionMask = with.cq_entries - 1;
    // A request is always in the place of its number.
    for (unsigned index = 0; index < with.sq_entries; index++)
        ((unsigned *)(queues + with.sq_off.array))[index] = index;
    bufferRing = map(buffersAtMost * sizeof(struct io_uring_buf), -1, 0);
    struct io_uring_buf_reg lent = {.ring_addr = (uintptr_t)bufferRing, .ring_entries = buffersAtMost};
    if (syscall(SYS_io_uring_register, ring, IORING_REGISTER_PBUF_RING, &lent, 1) < 0) return false;
    for (uint16_t number = 0; number < buffersAtMost; number++) lend(number);
    return true;
}

int main(int count, char **words) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    address.sin_port = htons((uint16_t)(count == 2 ? atoi(words[1]) : 0));
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){membersAtMost, membersAtMost});
    if (!makeRing()) return perror("io_uring"), 1;
    listener = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int)); // The sockets inherit it.
    bool isBound = address.sin_port && !bind(listener, (struct sockaddr *)&address, sizeof address);
    if (!isBound || !prepare() || listen(listener, 4096)) return perror("ring-floor PORT"), 1;
    askToAccept();
    for (;;) takeTurn();
}
