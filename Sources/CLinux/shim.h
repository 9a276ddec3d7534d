// What the reactor needs of Linux that Glibc's module map leaves out.
#pragma once

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
int pthread_setname_np(pthread_t thread, const char *name);
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set);
int pipe2(int descriptors[2], int flags);
int unshare(int flags);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

// Variadic, so out of Swift's reach.
static inline int pidfd_open_process(pid_t process) {
    return (int)syscall(SYS_pidfd_open, process, 0);
}

static inline int pidfd_signal(int descriptor, int number) {
    return (int)syscall(SYS_pidfd_send_signal, descriptor, number, 0, 0);
}

// SIG_IGN cannot be compared in Swift. Returns whether SIGPIPE was ignored before.
static inline int broken_pipe_ignore(void) {
    return signal(SIGPIPE, SIG_IGN) == SIG_IGN;
}

// A mutable global, which Swift 6 does not let through.
static inline char **process_environment(void) {
    extern char **environ;
    return environ;
}

// Groups and their constants are macros.
static inline int netlink_route_socket(void) {
    return socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
}

static inline int netlink_bind_changes(int descriptor) {
    struct sockaddr_nl address = {
        .nl_family = AF_NETLINK,
        .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE,
    };
    return bind(descriptor, (struct sockaddr *)&address, sizeof(address));
}

// io_uring, whose calls have no wrapper in Glibc, and whose shared words need ordered access.

static inline int ring_setup(uint32_t entries, struct io_uring_params *parameters) {
    return (int)syscall(SYS_io_uring_setup, entries, parameters);
}

static inline int ring_enter(int ring, uint32_t submitted, uint32_t least, uint32_t flags, const void *arguments, size_t size) {
    return (int)syscall(SYS_io_uring_enter, ring, submitted, least, flags, arguments, size);
}

static inline int ring_register(int ring, uint32_t operation, void *argument, uint32_t count) {
    return (int)syscall(SYS_io_uring_register, ring, operation, argument, count);
}

static inline uint32_t load_acquire(const uint32_t *word) {
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void store_release(uint32_t *word, uint32_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

// The fields are in anonymous unions.
static inline void ring_fill(
    struct io_uring_sqe *request, uint8_t operation, uint8_t flags, uint16_t priority, int descriptor, uint64_t address,
    uint32_t length, uint32_t operation_flags, uint16_t buffer_group, uint64_t token
) {
    *request = (struct io_uring_sqe){
        .opcode = operation,
        .flags = flags,
        .ioprio = priority,
        .fd = descriptor,
        .addr = address,
        .len = length,
        .rw_flags = (int)operation_flags,
        .user_data = token,
        .buf_group = buffer_group,
    };
}

static inline void ring_lend(
    struct io_uring_buf_ring *ring, uint16_t place, void *start, uint32_t length, uint16_t id
) {
    struct io_uring_buf *buffer = &ring->bufs[place];
    buffer->addr = (uint64_t)(uintptr_t)start;
    buffer->len = length;
    buffer->bid = id;
}

static inline void ring_publish(struct io_uring_buf_ring *ring, uint16_t tail) {
    __atomic_store_n(&ring->tail, tail, __ATOMIC_RELEASE);
}
