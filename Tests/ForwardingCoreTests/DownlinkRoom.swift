import CongestionControl
import ForwardingCore
import MediaBase
import RTPWire

/// A publisher with three encodings (about 0.15, 0.5 and 1.4 Mb/s) and sound, and viewers behind lines of their own who
/// give feedback on what comes.
final class DownlinkRoom {
  struct Line {
    var bitsPerSecond: Int
    var delay = MediaDuration.milliseconds(20)
    var queueLimit = MediaDuration.milliseconds(1_500)
    var isFree = MediaInstant.zero
    var flights: [(due: MediaInstant, datagram: [UInt8])] = []
    var waits: [(time: MediaInstant, wait: MediaDuration)] = []
    var dropCount = 0
    var recorder = ArrivalRecorder()
    /// Of a viewer that tells its own estimate instead, of the video only and while some comes, as aiortc does; padding on
    /// its retransmission stream counts.
    var estimator: ReceiverEstimator?
    var seenCount = 0
    var lastFeedback = MediaInstant.zero
    var audio: [MediaInstant] = []
    var videoByteCount = 0
  }

  let simulcast: SimulcastRoom
  var lines: [UInt64: Line] = [:]
  private var nextAudio: MediaInstant

  var room: TestRoom { simulcast.room }
  var now: MediaInstant { room.now }

  init(layers: Int = 3, seed: UInt64 = 1, _ change: (inout ForwardingPeer) -> Void = { _ in }) {
    simulcast = SimulcastRoom(layers: layers, seed: seed, change)
    nextAudio = simulcast.room.now
    simulcast.step = 1
    for (position, size) in [(1, 600), (2, 1_000), (5, 1_150)].prefix(layers).enumerated() {
      simulcast.encoders[position].packetCount = size.0
      simulcast.encoders[position].extraByteCount = size.1 - 40
    }
    room.carry = { [unowned self] datagram, peer in carry(datagram, to: peer) }
  }

  func watch(_ id: UInt64, bitsPerSecond: Int, format: ForwardedFormat = ForwardedFormat()) {
    lines[id] = Line(bitsPerSecond: bitsPerSecond)
    _ = simulcast.watch(id, format: format)
  }

  /// A viewer without transport-wide numbers, which estimates by itself what its line carries.
  func watchEstimating(_ id: UInt64, bitsPerSecond: Int) {
    lines[id] = Line(bitsPerSecond: bitsPerSecond, estimator: ReceiverEstimator())
    var format = ForwardedFormat(transportSequenceExtensionID: 0)
    format.extensions.sendTimeID = Self.sendTimeID
    _ = simulcast.watch(id, format: format)
  }

  private static let sendTimeID: UInt8 = 4

  private func sendTime(of packet: [UInt8]) -> UInt32? {
    let span = packet.span.bytes
    return (try? RTPPacketLayout(parsing: span))?.headerExtension(id: Self.sendTimeID, in: span).map {
      span.uint24(at: $0.lowerBound)
    }
  }

  func run(seconds: Double) {
    for _ in 0..<Int(seconds * 1_000) {
      if now >= nextAudio {
        nextAudio = nextAudio + .milliseconds(20)
        simulcast.publisher.sendAudio()
      }
      simulcast.run(milliseconds: 1)
      for id in lines.keys.sorted() { receive(id) }
    }
  }

  private func carry(_ datagram: [UInt8], to peer: TestPeer) -> Bool {
    guard var line = lines[peer.id] else { return false }
    let begin = max(now, line.isFree)
    line.waits.append((now, begin - now))
    if begin - now > line.queueLimit {
      line.dropCount += 1
    } else {
      let length = Int64(datagram.count + 28) * 8 * 1_000_000_000 / Int64(line.bitsPerSecond)
      line.isFree = begin + MediaDuration(nanoseconds: length)
      line.flights.append((line.isFree + line.delay, datagram))
    }
    lines[peer.id] = line
    return true
  }

  private func receive(_ id: UInt64) {
    guard var line = lines[id], let viewer = simulcast.viewers[id] else { return }
    let due = line.flights.filter { $0.due <= now }
    line.flights.removeAll { $0.due <= now }
    for flight in due {
      viewer.receive(flight.datagram, now: flight.due)
      for index in line.seenCount..<viewer.seen.count {
        let packet = viewer.seen[index]
        if packet.header.ssrc != audio, let time = sendTime(of: viewer.rawPackets[index]) {
          line.estimator?.arrived(sendTime: time, byteCount: flight.datagram.count, now: flight.due)
        }
        if let number = packet.transportSequenceNumber { line.recorder.arrived(number, now: flight.due) }
        if packet.header.ssrc == audio { line.audio.append(flight.due) }
        if packet.header.ssrc == video { line.videoByteCount += packet.payload.count }
      }
      line.seenCount = viewer.seen.count
    }
    if line.recorder.isDue(now: now, interval: .milliseconds(50)) {
      viewer.sendRTCP { [now] in
        line.recorder.write(senderSSRC: viewer.id32, mediaSSRC: video, into: &$0, now: now)
      }
    }
    if let bitrate = line.estimator?.takeDue(now: now) {
      viewer.sendRTCP {
        _ = RTCPFeedback.writeReceiverEstimate(
          senderSSRC: viewer.id32, bitrate: bitrate, mediaSSRCs: [video], into: &$0)
      }
    }
    lines[id] = line
  }
}
