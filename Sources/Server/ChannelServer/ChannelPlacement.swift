/// Which worker has a channel: always the same.
struct ChannelPlacement {
  let workerCount: Int

  /// FNV-1a: the hash must not differ between runs of a connection's life.
  func worker(for channel: String) -> Int {
    let hash = channel.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    return Int(hash % UInt64(workerCount))
  }
}
