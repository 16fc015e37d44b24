import MediaBase
import Testing

@testable import ChannelServer

@Suite("One allowance for each user") struct UserAllowanceTests {
  private let user = UserAllowances.User.signalling(uid: 1)

  /// Whether a user may say so much.
  private func takes(
    _ users: inout UserAllowances, _ user: UserAllowances.User, _ byteCount: Int = 10, at milliseconds: Int64
  ) -> Bool {
    users.take(user, byteCount: byteCount, now: at(milliseconds))
  }

  private func at(_ milliseconds: Int64) -> MediaInstant { .zero + .milliseconds(milliseconds) }

  @Test("however many connections a user has, and whenever they were opened, together they send what one may")
  func shared() {
    var users = UserAllowances(burst: 10)
    // Each connection has said one thing: who it is.
    for _ in 0..<4 { users.charge(user, 1, now: at(0)) }
    var sent = 0
    for milliseconds in 0..<1_000 as Range<Int64> {
      // As much as it can, as from a hundred connections.
      for _ in 0..<100 where users.take(user, byteCount: 10, now: at(milliseconds)) { sent += 1 }
    }
    // What was left, and what a second gives back.
    #expect(sent == 6 + 49)
  }

  @Test("who says who it is again and again has nothing left, but not less than that")
  func charged() {
    var users = UserAllowances(burst: 10)
    for _ in 0..<1_000 { users.charge(user, 1, now: at(0)) }
    #expect(!takes(&users, user, at: 0))
    #expect(takes(&users, user, at: 21))
  }

  @Test("users have their own, in each channel and for signalling; nobody is remembered who has earned everything back")
  func others() {
    var users = UserAllowances(burst: 2)
    let others: [UserAllowances.User] = [
      .signalling(uid: 2), .channel("a", uid: 1), .channel("b", uid: 1), .channel("a", uid: 2),
    ]
    for user in [user] + others {
      #expect((0..<3).map { _ in takes(&users, user, at: 0) } == [true, true, false])
    }
    users.prune(now: at(39))
    #expect(users.count == 5)
    users.prune(now: at(41))
    #expect(users.count == 0)
    // A long message counts as several, and a clock that goes back gives nothing.
    #expect(!takes(&users, user, 2 * MessageAllowance.byteCount, at: 100))
    #expect(takes(&users, user, MessageAllowance.byteCount, at: 100))
    #expect(!takes(&users, user, at: 0))
  }
}
