#define _GNU_SOURCE
#include "CForwardingFloor.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif
#ifndef UDP_GRO
#define UDP_GRO 104
#endif

enum { batch_runs = 16, run_bytes = 65536, header_bytes = 24, tag_bytes = 16, slots = 512 };

struct gro_batch {
  struct mmsghdr messages[batch_runs];
  struct iovec vectors[batch_runs];
  struct sockaddr_in sources[batch_runs];
  char control[batch_runs][128];
  uint8_t *memory;
};

int gro_enable(int fd, int receive_buffer_bytes, int stamps) {
  int one = 1;
  if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &receive_buffer_bytes, sizeof receive_buffer_bytes) != 0)
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes, sizeof receive_buffer_bytes);
  if (stamps) setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof one);
  return setsockopt(fd, IPPROTO_UDP, UDP_GRO, &one, sizeof one);
}

struct gro_batch *gro_batch_make(void) {
  struct gro_batch *batch = calloc(1, sizeof *batch);
  batch->memory = malloc((size_t)batch_runs * run_bytes);
  return batch;
}

void gro_batch_free(struct gro_batch *batch) {
  free(batch->memory);
  free(batch);
}

int gro_receive(int fd, struct gro_batch *batch, struct gro_run *runs) {
  for (int i = 0; i < batch_runs; i++) {
    batch->vectors[i] = (struct iovec){batch->memory + (size_t)i * run_bytes, run_bytes};
    batch->messages[i].msg_hdr = (struct msghdr){.msg_name = &batch->sources[i],
                                                 .msg_namelen = sizeof batch->sources[i],
                                                 .msg_iov = &batch->vectors[i],
                                                 .msg_iovlen = 1,
                                                 .msg_control = batch->control[i],
                                                 .msg_controllen = sizeof batch->control[i]};
  }
  int count = recvmmsg(fd, batch->messages, batch_runs, MSG_DONTWAIT, NULL);
  for (int i = 0; i < count; i++) {
    struct msghdr *header = &batch->messages[i].msg_hdr;
    int length = (int)batch->messages[i].msg_len;
    runs[i] = (struct gro_run){.bytes = batch->vectors[i].iov_base,
                               .length = length,
                               .segment = length,
                               .source_address = ntohl(batch->sources[i].sin_addr.s_addr),
                               .source_port = ntohs(batch->sources[i].sin_port)};
    for (struct cmsghdr *part = CMSG_FIRSTHDR(header); part; part = CMSG_NXTHDR(header, part)) {
      if (part->cmsg_level == IPPROTO_UDP && part->cmsg_type == UDP_GRO) {
        int size;
        memcpy(&size, CMSG_DATA(part), sizeof size);
        if (size > 0) runs[i].segment = size;
      } else if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_TIMESTAMPNS) {
        struct timespec time;
        memcpy(&time, CMSG_DATA(part), sizeof time);
        runs[i].stamp = time.tv_sec * 1000000000LL + time.tv_nsec;
      }
    }
  }
  return count < 0 ? 0 : count;
}

int poller_make(void) { return epoll_create1(EPOLL_CLOEXEC); }

int poller_add(int poller, int fd, uint32_t number) {
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = number};
  return epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event);
}

int poller_ready(int poller, uint32_t *numbers, int capacity) {
  struct epoll_event events[256];
  int ready = epoll_wait(poller, events, capacity < 256 ? capacity : 256, 0);
  for (int i = 0; i < ready; i++) numbers[i] = events[i].data.u32;
  return ready < 0 ? 0 : ready;
}

// MARK: the floor

struct drain {
  int *sockets;
  int count;
  atomic_int ends;
  uint64_t received;
};

static void *drain_main(void *argument) {
  struct drain *drain = argument;
  struct gro_batch *batch = gro_batch_make();
  struct gro_run runs[batch_runs];
  struct epoll_event events[64];
  int poller = epoll_create1(EPOLL_CLOEXEC);
  for (int i = 0; i < drain->count; i++) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = drain->sockets[i]};
    epoll_ctl(poller, EPOLL_CTL_ADD, drain->sockets[i], &event);
  }
  while (1) {
    // Looks every millisecond: a sender whose every packet wakes a sleeper would be measured with it.
    int ready = epoll_wait(poller, events, 64, 0);
    if (ready == 0) {
      if (atomic_load(&drain->ends)) break;
      usleep(1000);
    }
    for (int i = 0; i < ready; i++) {
      int count = gro_receive(events[i].data.fd, batch, runs);
      for (int j = 0; j < count; j++)
        drain->received += (uint64_t)((runs[j].length + runs[j].segment - 1) / runs[j].segment);
    }
  }
  close(poller);
  gro_batch_free(batch);
  return NULL;
}

static int64_t thread_nanoseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int send_run(int fd, const uint8_t *bytes, size_t count, int segment, const struct sockaddr_in *to) {
  if ((int)count == segment)
    return sendto(fd, bytes, count, MSG_DONTWAIT, (const struct sockaddr *)to, sizeof *to) < 0 ? -1 : 0;
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(uint16_t))] = {0};
  struct iovec part = {(void *)bytes, count};
  struct msghdr message = {.msg_name = (void *)to,
                           .msg_namelen = sizeof *to,
                           .msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = control,
                           .msg_controllen = sizeof control};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = IPPROTO_UDP;
  header->cmsg_type = UDP_SEGMENT;
  header->cmsg_len = CMSG_LEN(sizeof(uint16_t));
  uint16_t size = (uint16_t)segment;
  memcpy(CMSG_DATA(header), &size, sizeof size);
  return sendmsg(fd, &message, MSG_DONTWAIT) < 0 ? -1 : 0;
}

static int copy(uint64_t index, const uint8_t *payload, int payload_bytes, uint8_t *packet) {
  memset(packet, 0x55, header_bytes);
  memcpy(packet + 2, &index, 2);
  memcpy(packet + header_bytes, payload, (size_t)payload_bytes);
  return 0;
}

static int seal(EVP_CIPHER_CTX *context, uint64_t index, const uint8_t *payload, int payload_bytes, uint8_t *packet) {
  uint8_t nonce[12] = {0};
  int written;
  memcpy(nonce + 4, &index, sizeof index);
  memset(packet, 0x55, header_bytes);
  memcpy(packet + 2, &index, 2);
  return EVP_EncryptInit_ex(context, NULL, NULL, NULL, nonce) == 1 &&
                 EVP_EncryptUpdate(context, NULL, &written, packet, header_bytes) == 1 &&
                 EVP_EncryptUpdate(context, packet + header_bytes, &written, payload, payload_bytes) == 1 &&
                 EVP_EncryptFinal_ex(context, packet + header_bytes + payload_bytes, &written) == 1 &&
                 EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, tag_bytes,
                                     packet + header_bytes + payload_bytes) == 1
             ? 0
             : -1;
}

int floor_measure(int receivers, int packets_per_run, int payload_bytes, enum floor_work work, double seconds,
                  struct floor_result *result) {
  int size = header_bytes + payload_bytes + tag_bytes;
  int sender = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), buffer = 8 << 20;
  if (sender < 0 || size * packets_per_run > 65000) return -1;
  setsockopt(sender, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
  int *sockets = calloc((size_t)receivers, sizeof *sockets);
  struct sockaddr_in *addresses = calloc((size_t)receivers, sizeof *addresses);
  EVP_CIPHER_CTX **contexts = calloc((size_t)receivers, sizeof *contexts);
  uint8_t *history = malloc((size_t)slots * 1536), *slab = malloc(65536);
  uint8_t key[16];
  memset(history, 0xA5, (size_t)slots * 1536);
  for (int i = 0; i < receivers; i++) {
    memset(key, i + 1, sizeof key);
    contexts[i] = EVP_CIPHER_CTX_new();
    EVP_EncryptInit_ex(contexts[i], EVP_aes_128_gcm(), NULL, key, NULL);
    sockets[i] = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    addresses[i] = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof addresses[i];
    if (bind(sockets[i], (struct sockaddr *)&addresses[i], length) != 0) return -1;
    getsockname(sockets[i], (struct sockaddr *)&addresses[i], &length);
    gro_enable(sockets[i], 4 << 20, 0);
  }
  struct drain drain = {.sockets = sockets, .count = receivers};
  pthread_t thread;
  if (work == floor_sends) pthread_create(&thread, NULL, drain_main, &drain);
  int64_t begin = thread_nanoseconds(CLOCK_MONOTONIC), cpu = thread_nanoseconds(CLOCK_THREAD_CPUTIME_ID);
  uint64_t packets = 0, index = 0;
  int failed = 0;
  while (thread_nanoseconds(CLOCK_MONOTONIC) - begin < (int64_t)(seconds * 1e9)) {
    for (int i = 0; i < receivers; i++) {
      for (int j = 0; j < packets_per_run; j++) {
        uint64_t number = index + (uint64_t)j;
        const uint8_t *payload = history + (number % slots) * 1536;
        failed |= work == floor_copies ? copy(number, payload, payload_bytes, slab + j * size)
                                       : seal(contexts[i], number, payload, payload_bytes, slab + j * size);
      }
      if (work == floor_sends) send_run(sender, slab, (size_t)size * (size_t)packets_per_run, size, &addresses[i]);
    }
    index += (uint64_t)packets_per_run;
    packets += (uint64_t)packets_per_run * (uint64_t)receivers;
  }
  cpu = thread_nanoseconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
  if (work == floor_sends) {
    atomic_store(&drain.ends, 1);
    pthread_join(thread, NULL);
  }
  for (int i = 0; i < receivers; i++) {
    close(sockets[i]);
    EVP_CIPHER_CTX_free(contexts[i]);
  }
  close(sender);
  free(sockets);
  free(addresses);
  free(contexts);
  free(history);
  free(slab);
  *result = (struct floor_result){(double)cpu / (double)packets, packets, drain.received};
  return failed;
}
