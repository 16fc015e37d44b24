#pragma once
// The floor: what forwarding costs if there is nothing but encryption and sending. And receiving in large batches, for
// clients that must cost little.
#include <stddef.h>
#include <stdint.h>

struct floor_result {
  double nanoseconds_per_packet;  // CPU time of the sending thread
  uint64_t packets;
  uint64_t received;  // datagrams that the draining thread got
};

enum floor_work {
  floor_copies,    // headers are written and payloads copied, nothing more
  floor_encrypts,  // AES-128-GCM by EVP, cached contexts, new IV only
  floor_sends,     // also sends each run by one call with UDP_SEGMENT, of one packet by a plain sendto
};

// Does that with `packets_per_run` packets of `payload_bytes` for each of `receivers` in turn. Each has a loopback socket of
// its own, which a second thread drains. 0 or -1.
int floor_measure(int receivers, int packets_per_run, int payload_bytes, enum floor_work work, double seconds,
                  struct floor_result *result);

// Lets the kernel hand over whole runs (UDP_GRO) and stamp them (CLOCK_REALTIME) as they come into the socket.
int gro_enable(int fd, int receive_buffer_bytes, int stamps);

// Buffers for 16 runs.
struct gro_batch;
struct gro_batch *gro_batch_make(void);
void gro_batch_free(struct gro_batch *batch);

struct gro_run {
  uint8_t *bytes;
  int length;
  int segment;            // length of each datagram but the last
  int64_t stamp;          // nanoseconds, CLOCK_REALTIME; 0 without a stamp
  uint32_t source_address;  // IPv4, host order
  uint16_t source_port;
};

// What is waiting, at most 16 runs; does not block. Returns how many.
int gro_receive(int fd, struct gro_batch *batch, struct gro_run *runs);

// Which of many sockets have something, without waiting (epoll).
int poller_make(void);
int poller_add(int poller, int fd, uint32_t number);
int poller_ready(int poller, uint32_t *numbers, int capacity);
