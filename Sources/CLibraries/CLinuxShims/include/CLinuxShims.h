#pragma once
// Calls and constants of Linux that Swift's Glibc module lacks: GNU-only functions, macros and casts. No logic here.
//
// The header includes no system header beyond the integer types and sets no feature macro: either would make this module
// the owner of libc's types, or make them differ from what other modules see. Structures are mirrored; the .c file
// asserts that they are laid out alike.
#include <stddef.h>
#include <stdint.h>

extern const uint32_t clx_EPOLLIN;
extern const uint32_t clx_EPOLLOUT;

// struct epoll_event, whose data is used as a number.
struct clx_epoll_event {
  uint32_t events;
  uint64_t data;
}
#if defined(__x86_64__)
__attribute__((packed))
#endif
;

int clx_epoll_create(void);  // close on exec
int clx_epoll_add(int epoll, int fd, uint32_t events, uint64_t data);
int clx_epoll_modify(int epoll, int fd, uint32_t events, uint64_t data);
int clx_epoll_remove(int epoll, int fd);
int clx_epoll_wait(int epoll, struct clx_epoll_event *events, int capacity, int64_t timeout_nanoseconds);  // -1: no limit

int clx_eventfd(void);        // nonblocking, close on exec
int clx_udp_socket(int family);  // nonblocking, close on exec

int clx_tcp_socket(int family);  // nonblocking, close on exec
int clx_accept(int fd, void *address, uint32_t *length);  // accept4(2): nonblocking, close on exec
int clx_tcp_send_at_once(int fd, int unsent_bytes);  // TCP_NODELAY, TCP_NOTSENT_LOWAT

int clx_route_socket(void);  // netlink(7), told of links, addresses and routes; nonblocking, close on exec

// Bytes that a TCP connection has received, and that its other side has acknowledged (TCP_INFO).
int clx_tcp_bytes(int fd, uint64_t *received, uint64_t *acknowledged);

// struct mmsghdr.
struct clx_message {
  struct {
    void *name;
    uint32_t name_length;
    void *vectors;  // struct iovec
    size_t vector_count;
    void *control;
    size_t control_length;
    int flags;
  } header;
  unsigned int length;
};

// recvmmsg(2) with MSG_DONTWAIT.
int clx_recvmmsg(int fd, struct clx_message *messages, unsigned int count);

// One sendmsg(2) to a sockaddr that the kernel cuts into datagrams of `segment` bytes (UDP_SEGMENT).
long clx_send_segments(int fd, const void *bytes, size_t count, uint16_t segment, const void *to, uint32_t to_length);

// struct sock_filter: one instruction of a classic packet filter (bpf(4), Linux: networking/filter).
struct clx_filter_step {
  uint16_t code;
  uint8_t jump_if_true;
  uint8_t jump_if_false;
  uint32_t operand;
};

int clx_attach_filter(int fd, const struct clx_filter_step *steps, uint16_t count);  // SO_ATTACH_FILTER
int clx_detach_filter(int fd);

// Datagrams that the kernel dropped at this socket: by its filter, or since the buffer was full (SO_MEMINFO). 0 if it
// does not say.
uint32_t clx_dropped_at(int fd);

// pthread_setname_np(3) of the calling thread.
int clx_set_thread_name(const char *name);
