#define _GNU_SOURCE
#include "CLinuxShims.h"

#include <errno.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <pthread.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif

_Static_assert(sizeof(struct clx_epoll_event) == sizeof(struct epoll_event), "epoll_event has another size");
_Static_assert(offsetof(struct clx_epoll_event, data) == offsetof(struct epoll_event, data), "epoll_event differs");
_Static_assert(sizeof(struct clx_message) == sizeof(struct mmsghdr), "mmsghdr has another size");
_Static_assert(offsetof(struct clx_message, length) == offsetof(struct mmsghdr, msg_len), "mmsghdr differs");
_Static_assert(offsetof(struct clx_message, header.vectors) == offsetof(struct msghdr, msg_iov), "msghdr differs");
_Static_assert(offsetof(struct clx_message, header.control) == offsetof(struct msghdr, msg_control), "msghdr differs");
_Static_assert(offsetof(struct clx_message, header.flags) == offsetof(struct msghdr, msg_flags), "msghdr differs");

_Static_assert(sizeof(struct clx_filter_step) == sizeof(struct sock_filter), "sock_filter has another size");
_Static_assert(offsetof(struct clx_filter_step, jump_if_true) == offsetof(struct sock_filter, jt), "sock_filter differs");
_Static_assert(offsetof(struct clx_filter_step, operand) == offsetof(struct sock_filter, k), "sock_filter differs");

const uint32_t clx_EPOLLIN = EPOLLIN;
const uint32_t clx_EPOLLOUT = EPOLLOUT;

int clx_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int clx_epoll_add(int epoll, int fd, uint32_t events, uint64_t data) {
  struct epoll_event event = {.events = events, .data.u64 = data};
  return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

int clx_epoll_modify(int epoll, int fd, uint32_t events, uint64_t data) {
  struct epoll_event event = {.events = events, .data.u64 = data};
  return epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &event);
}

int clx_epoll_remove(int epoll, int fd) { return epoll_ctl(epoll, EPOLL_CTL_DEL, fd, NULL); }

int clx_epoll_wait(int epoll, struct clx_epoll_event *events, int capacity, int64_t timeout_nanoseconds) {
  struct epoll_event *into = (struct epoll_event *)events;
  if (timeout_nanoseconds < 0) return epoll_wait(epoll, into, capacity, -1);
  struct timespec time = {.tv_sec = timeout_nanoseconds / 1000000000, .tv_nsec = timeout_nanoseconds % 1000000000};
  int count = epoll_pwait2(epoll, into, capacity, &time, NULL);
  if (count >= 0 || errno != ENOSYS) return count;
  // Before Linux 5.11: late by up to a millisecond rather than early.
  int64_t milliseconds = timeout_nanoseconds / 1000000 + 1;
  return epoll_wait(epoll, into, capacity, milliseconds > INT_MAX ? INT_MAX : (int)milliseconds);
}

int clx_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int clx_udp_socket(int family) { return socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0); }

int clx_tcp_socket(int family) { return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0); }

int clx_route_socket(void) {
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_ROUTE);
  if (fd < 0) return -1;
  struct sockaddr_nl address = {.nl_family = AF_NETLINK,
                                .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV4_ROUTE |
                                             RTMGRP_IPV6_IFADDR | RTMGRP_IPV6_ROUTE};
  if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
  close(fd);
  return -1;
}

int clx_accept(int fd, void *address, uint32_t *length) {
  return accept4(fd, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int clx_tcp_send_at_once(int fd, int unsent_bytes) {
  int on = 1;
  if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0) return -1;
  return setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent_bytes, sizeof unsent_bytes);
}

int clx_tcp_bytes(int fd, uint64_t *received, uint64_t *acknowledged) {
  struct tcp_info info = {0};
  socklen_t length = sizeof info;
  if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return -1;
  *received = info.tcpi_bytes_received;
  *acknowledged = info.tcpi_bytes_acked;
  return 0;
}

int clx_recvmmsg(int fd, struct clx_message *messages, unsigned int count) {
  return recvmmsg(fd, (struct mmsghdr *)messages, count, MSG_DONTWAIT, NULL);
}

long clx_send_segments(int fd, const void *bytes, size_t count, uint16_t segment, const void *to, uint32_t to_length) {
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(uint16_t))] = {0};
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_name = (void *)to,
                           .msg_namelen = to_length,
                           .msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = control,
                           .msg_controllen = sizeof control};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = IPPROTO_UDP;
  header->cmsg_type = UDP_SEGMENT;
  header->cmsg_len = CMSG_LEN(sizeof(uint16_t));
  memcpy(CMSG_DATA(header), &segment, sizeof segment);
  return sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

int clx_attach_filter(int fd, const struct clx_filter_step *steps, uint16_t count) {
  struct sock_fprog program = {.len = count, .filter = (struct sock_filter *)steps};
  return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

int clx_detach_filter(int fd) {
  int unused = 0;
  return setsockopt(fd, SOL_SOCKET, SO_DETACH_FILTER, &unused, sizeof unused);
}

uint32_t clx_dropped_at(int fd) {
  uint32_t numbers[SK_MEMINFO_VARS] = {0};
  socklen_t length = sizeof numbers;
  if (getsockopt(fd, SOL_SOCKET, SO_MEMINFO, numbers, &length) != 0) return 0;
  return numbers[SK_MEMINFO_DROPS];
}

int clx_set_thread_name(const char *name) { return pthread_setname_np(pthread_self(), name); }
