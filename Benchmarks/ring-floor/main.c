// The floor on io_uring: the relay of Benchmarks/floor, which waits in a ring of the kernel instead of epoll. One
// request accepts all connections, one for each socket brings its bytes in buffers of the ring, and the frames of a
// turn are sent by the system call that waits for the next one. Usage: ring-floor PORT
#define _GNU_SOURCE
#include <errno.h>
#include <linux/io_uring.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <poll.h>
#include <sched.h>
#include <search.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ALE "\x82\x16{\"type\":\"aleResponse\"}"
#define WANTED "{\"type\":\"ale\""
#define ANSWER "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" \
    "Sec-WebSocket-Accept: %s\r\n\r\n\x82\x14{\"type\":\"handshake\"}"

enum { aleBytes = sizeof ALE - 1, repeats = 1024, headBytes = 8192, membersAtMost = 65536, answersAtMost = 256 };
enum { requestsAtMost = 1024, completionsAtMost = 8192, buffersAtMost = 512, bufferBytes = 2048 };

typedef struct Member {
    struct Member **room; // Where the list of the room's members begins; none before the handshake.
    struct Member *next;  // In that list.
    size_t waiting;       // Bytes that are to be sent: all ales are equal, so this is the whole queue.
    uint8_t *rest;        // The beginning of a request or a frame whose end has not arrived.
    size_t restBytes;
    uint16_t generation;  // It changes when the descriptor is closed.
    bool isBlocked;       // Whether a request tells when there is room to write.
    bool isLeaving;       // Whether the socket was shut down, and is closed once nothing reads it.
} Member;

// The name of a request, which its completion carries.
typedef union {
    struct { uint16_t kind, descriptor, generation, bytes; };
    uint64_t word;
} Name;
enum { accepting, receiving, answering, sending, polling };

static int ring, listener, touchedCount, answerCount;
static uint8_t ales[aleBytes * repeats], input[headBytes + 256 * 1024];
static char answers[answersAtMost][256]; // Those that are not submitted.
static Member members[membersAtMost], *touched[membersAtMost]; // By descriptor; those with new output.

static unsigned written, submitted, requestMask, completionMask; // The count of requests ever made, and submitted.
static unsigned *requestTail, *requestFlags, *completionHead, *completionTail;
static struct io_uring_sqe *requests;
static struct io_uring_cqe *completions;
static struct io_uring_buf_ring *bufferRing;
static uint8_t buffers[buffersAtMost][bufferBytes];
static uint16_t bufferTail;

static int descriptorOf(const Member *member) { return (int)(member - members); }

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
    Member **link = member->room;
    while (link && *link != member) link = &(*link)->next;
    if (link) *link = member->next;
    free(member->rest);
    leave(member); // A request that waits for room ends, too.
    close(descriptorOf(member));
    *member = (Member){.generation = (uint16_t)(member->generation + 1)};
}

// What is submitted counts as sent until its completion says something else.
static void sendWaiting(Member *member) {
    size_t begun = (aleBytes - member->waiting % aleBytes) % aleBytes, bytes = sizeof ales - begun;
    if (bytes > member->waiting) bytes = member->waiting;
    askToSend(member, sending, ales + begun, bytes);
    member->waiting -= bytes;
    if (member->waiting > 0) askForRoom(member);
}

// Answers a whole request and gives the member a place; returns its length, 0: not whole yet, -1: no handshake.
static ssize_t takeHandshake(Member *member, uint8_t *start, size_t bytes) {
    char *request = (char *)start, *end = memmem(start, bytes, "\r\n\r\n", 4);
    char id[64], key[128];
    if (!end) return bytes < headBytes ? 0 : -1;
    end[3] = 0;
    char *name = strstr(request, "id="), *field = strcasestr(request, "\nSec-WebSocket-Key:");
    if (!name || sscanf(name, "id=%63[^& \r\n]", id) != 1) return -1;
    if (!field || sscanf(field, "%*[^:]: %63[^ \r\n]", key) != 1) return -1;
    uint8_t digest[SHA_DIGEST_LENGTH], accept[32];
    strcat(key, "258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    EVP_EncodeBlock(accept, SHA1((uint8_t *)key, strlen(key), digest), sizeof digest);
    ENTRY *room = hsearch((ENTRY){.key = id}, FIND);
    if (!room) room = hsearch((ENTRY){strdup(id), calloc(1, sizeof(Member *))}, ENTER);
    if (!room) return -1;
    if (answerCount == answersAtMost) enter(0);
    char *answer = answers[answerCount++];
    askToSend(member, answering, answer, (size_t)snprintf(answer, sizeof answers[0], ANSWER, (char *)accept));
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
    for (int index = 0; index < repeats; index++) memcpy(ales + index * aleBytes, ALE, aleBytes);
    if (!makeRing()) return perror("io_uring"), 1;
    listener = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int)); // The sockets inherit it.
    bool isBound = address.sin_port && !bind(listener, (struct sockaddr *)&address, sizeof address);
    if (!isBound || !hcreate(2 * membersAtMost) || listen(listener, 4096)) return perror("ring-floor PORT"), 1;
    askToAccept();
    for (;;) takeTurn();
}
