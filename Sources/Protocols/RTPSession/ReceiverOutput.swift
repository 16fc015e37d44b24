import MediaBase

/// What a receive stream wants its session to do after it was given something.
struct ReceiverOutput {
  var isFirstPacket = false
  var frames: [EncodedVideoFrame] = []
  /// Sequence numbers to ask for again, ascending.
  var lost: [UInt16] = []
  var requestsKeyFrame = false
  /// The time from a request for retransmission to its answer.
  var roundTripSample: MediaDuration?

  mutating func reset() {
    isFirstPacket = false
    frames.removeAll(keepingCapacity: true)
    lost.removeAll(keepingCapacity: true)
    requestsKeyFrame = false
    roundTripSample = nil
  }
}
