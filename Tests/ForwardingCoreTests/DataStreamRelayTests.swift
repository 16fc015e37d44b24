import ChannelCore
import ControlWire
import MediaBase
import Testing

@Suite struct DataStreamRelayTests {
  private func room() -> ChannelDirectory {
    var room = directory()
    _ = room.join(joinRequest(1), client: 11)
    _ = room.join(joinRequest(2), client: 12)
    _ = room.join(joinRequest(3, role: .audience), client: 13)
    _ = room.join(joinRequest(4, channel: "other"), client: 14)
    return room
  }

  private func send(
    _ room: inout ChannelDirectory, _ client: UInt64, stream: Int = 1, data: String = "00", now: MediaInstant = .zero
  ) -> [ControlDelivery] {
    room.receive(
      .streamMessage(StreamMessageRequest(streamID: stream, sequence: 1, data: data)), from: client, now: now)
    return room.deliveries()
  }

  private func refusal(_ deliveries: [ControlDelivery]) -> ControlErrorCode? {
    guard deliveries.count == 1, case .error(let error)? = deliveries[0].response else { return nil }
    return error.code
  }

  @Test func `data goes to everybody else in the channel, audience included, and nowhere else`() {
    var room = room()
    let deliveries = send(&room, 11, stream: 3, data: "0aff")
    #expect(Set(deliveries.map(\.client)) == [12, 13])
    for delivery in deliveries {
      #expect(
        delivery.response
          == .streamMessage(StreamMessageResponse(uid: 1, streamID: 3, sequence: 1, data: "0aff")))
    }
  }

  @Test func `an audience and a stranger send nothing`() {
    var room = room()
    #expect(refusal(send(&room, 13)) == .invalidState)
    #expect(refusal(send(&room, 99)) == .invalidState)
  }

  @Test(arguments: [0, 6, -1, .min, .max]) func `a stream's number is 1 to 5`(stream: Int) {
    var room = room()
    #expect(refusal(send(&room, 11, stream: stream)) == .invalidArgument)
  }

  @Test func `a message has at most 1,024 bytes of hexadecimal text`() {
    var room = room()
    #expect(send(&room, 11, data: String(repeating: "ab", count: 1_024)).count == 2)
    #expect(refusal(send(&room, 11, data: String(repeating: "ab", count: 1_025))) == .invalidArgument)
    #expect(refusal(send(&room, 11, data: "0")) == .invalidArgument)
    #expect(refusal(send(&room, 11, data: "0x")) == .invalidArgument)
  }

  @Test func `two seconds' worth may be sent at once, then what time earns back`() {
    var room = room()
    let kilobyte = String(repeating: "00", count: 1_024)
    for _ in 0..<12 { #expect(send(&room, 11, data: kilobyte).count == 2) }
    #expect(refusal(send(&room, 11, data: kilobyte)) == .resourceLimited)
    let later = MediaInstant.zero + .seconds(1)
    for _ in 0..<6 { #expect(send(&room, 11, data: kilobyte, now: later).count == 2) }
    #expect(refusal(send(&room, 11, data: kilobyte, now: later)) == .resourceLimited)
  }

  @Test func `what a user has set is told to those who come and to those who are there`() {
    var room = directory()
    var request = joinRequest(1, publish: audioOnly)
    request.mediaState = [.muteVideo, .enableVideo, .enableLocalVideo]
    _ = room.join(request, client: 11)
    let users = joined(room.join(joinRequest(2, role: .audience), client: 12))?.users
    #expect(users?.first?.mediaState == [.muteVideo, .enableVideo, .enableLocalVideo])
    room.receive(.update(UpdateRequest(requestID: 1, mediaState: .usual)), from: 11, now: .zero)
    #expect(
      room.deliveries().contains {
        $0.client == 12
          && $0.response == .userUpdated(UserUpdatedResponse(uid: 1, published: audioOnly, mediaState: .usual))
      })
  }

  @Test func `joining again over another connection gives no more to send`() {
    var room = room()
    let sent = { (room: inout ChannelDirectory, client: UInt64) in
      (0..<100).filter { _ in refusal(send(&room, client)) == nil }.count
    }
    #expect(sent(&room, 11) == 2 * DataStreamLimits.messagesPerSecond)
    for client in 21...25 as ClosedRange<UInt64> {
      #expect(joined(room.join(joinRequest(1), client: client)) != nil)
      #expect(sent(&room, client) == 0)
    }
  }
}
