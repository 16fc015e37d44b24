import MediaBase

/// Another encoding of what an egress forwards, that takes over when its next key frame starts.
struct PendingLayer {
  /// The stream's number in the pool of streams; `Pool.none` without such.
  var stream = Pool<IngressStream>.none
  /// The next of its arrivals to look at; stays on the key frame's start once that is there.
  var cursor: UInt64 = 0
  /// Since when the key frame has been there.
  var readySince: MediaInstant?
  /// Whether the stream is asked for a key frame on its behalf.
  var isCountedAsWaiting = false

  /// For how long a key frame waits for the end of a picture of the encoding before.
  static let longestWait = MediaDuration.milliseconds(100)

  /// The first packet of the key frame, if it has come.
  mutating func keyFrame(of stream: borrowing IngressStream, now: MediaInstant) -> PacketRecord? {
    while cursor < stream.arrivalCount {
      if let record = stream.history.record(arrivedAs: cursor), record.startsKeyFrame {
        if readySince == nil { readySince = now }
        return record
      }
      cursor &+= 1
      readySince = nil
    }
    return nil
  }
}
