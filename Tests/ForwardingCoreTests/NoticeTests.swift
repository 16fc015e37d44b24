import ChannelCore
import ControlWire
import MediaBase
import Testing

/// What one user's changes lead to for everybody else.
@Suite struct NoticeTests {
  /// A live channel with a broadcaster (connection 1) and 1,000 viewers.
  private func crowd(burst: Int, rate: Int) -> ChannelDirectory {
    let bytes = SeededBytes(seed: 3)
    var configuration = ChannelDirectoryConfiguration(
      candidates: [CandidateAddress(host: "192.0.2.1", port: 7_000)], maximumUserCount: 2_000)
    (configuration.noticeBurst, configuration.noticeRate) = (burst, rate)
    var directory = ChannelDirectory(configuration: configuration) { bytes($0) }
    _ = directory.join(joinRequest(1), client: 1)
    for uid in UInt(2)...1_001 { _ = directory.join(joinRequest(uid, role: .audience), client: UInt64(uid)) }
    _ = directory.commands()
    return directory
  }

  private func instant(_ milliseconds: Int64) -> MediaInstant { .zero + .milliseconds(milliseconds) }

  @Test("a thousand viewers are not told of each of fifty changes a second, but of the last state, all of them")
  func mutes() {
    var directory = crowd(burst: 4_000, rate: 500)
    var told: [UInt64: [UserUpdatedResponse]] = [:]
    func take(_ directory: inout ChannelDirectory) {
      for delivery in directory.deliveries() {
        if case .userUpdated(let update) = delivery.response { told[delivery.client, default: []].append(update) }
      }
    }
    var confirmed = 0
    for number in 0..<500 {
      let now = instant(Int64(number) * 20)
      while let next = directory.nextTimeout, next <= now {
        directory.handleTimeout(now: next)
        take(&directory)
      }
      let tracks = number % 2 == 0 ? audioOnly : bothTracks
      directory.receive(.update(UpdateRequest(requestID: number + 1, publish: tracks)), from: 1, now: now)
      // Media follows each change at once.
      #expect(directory.commands().contains(.setPublished(client: 1, tracks: tracks)))
      while let delivery = directory.pollDelivery() {
        switch delivery.response {
        case .updated: confirmed += 1
        case .userUpdated(let update): told[delivery.client, default: []].append(update)
        default: Issue.record("\(delivery)")
        }
      }
    }
    #expect(confirmed == 500)
    let sum = told.values.reduce(0) { $0 + $1.count }
    #expect(sum <= 4_000 + 10 * 500 + 1_000 && sum >= 8_000, "\(sum)")
    while let next = directory.nextTimeout {
      directory.handleTimeout(now: next)
      take(&directory)
    }
    #expect(told.count == 1_000)
    #expect(told.values.allSatisfy { $0.last == UserUpdatedResponse(uid: 1, published: bothTracks) })
  }

  @Test("changes within the allowance are told at once, and another user's do not wait for one who changes too much")
  func others() {
    var directory = crowd(burst: 3_000, rate: 100)
    for number in 1...20 {
      directory.receive(
        .update(UpdateRequest(requestID: number, publish: number % 2 == 0 ? bothTracks : audioOnly)), from: 1,
        now: .zero)
    }
    #expect(directory.deliveries().count { if case .userUpdated = $0.response { true } else { false } } == 3_000)
    _ = directory.join(joinRequest(2_000), client: 2_000)
    directory.receive(.update(UpdateRequest(requestID: 1, publish: audioOnly)), from: 2_000, now: .zero)
    let updates = directory.deliveries().compactMap { delivery -> UserUpdatedResponse? in
      if case .userUpdated(let update) = delivery.response { update } else { nil }
    }
    #expect(
      updates.count == 1_001 && updates.allSatisfy { $0 == UserUpdatedResponse(uid: 2_000, published: audioOnly) })
  }

  @Test("a role that changes too often for its channel is refused, changes nothing, and may change again later")
  func roles() {
    var directory = crowd(burst: 4_000, rate: 500)
    var codes: [ControlErrorCode?] = []
    for number in 1...8 {
      directory.receive(
        .update(UpdateRequest(requestID: number, role: number % 2 == 0 ? .broadcaster : .audience)), from: 1, now: .zero
      )
      codes.append(errorCode(directory.deliveries()))
    }
    #expect(codes == [nil, nil, nil, nil] + [ControlErrorCode.resourceLimited, nil, .resourceLimited, nil])
    directory.receive(.update(UpdateRequest(requestID: 9, role: .audience)), from: 1, now: instant(2_100))
    let deliveries = directory.deliveries()
    #expect(errorCode(deliveries) == nil)
    #expect(
      deliveries.count { $0.response == .userLeft(UserLeftResponse(uid: 1, reason: .becameAudience)) } == 1_000)
    // Nothing that waits is told of somebody who cannot be seen.
    #expect(directory.nextTimeout == nil)
  }
}
