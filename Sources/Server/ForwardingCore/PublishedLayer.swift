/// One of several encodings of what a peer publishes as video.
struct PublishedLayer {
  /// Empty if its SSRC is announced.
  let restrictionID: [UInt8]
  /// The stream's number in the pool of streams.
  let stream: Int32
  /// 0 until it is known.
  var ssrc: UInt32
  /// SSRC of its retransmissions, 0 until it is known.
  var rtxSSRC: UInt32
}
