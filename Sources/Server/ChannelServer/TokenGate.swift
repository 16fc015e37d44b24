import AccessTokens
import ChannelCore
import ControlWire
import Glibc
import LinuxIO
import MediaBase

/// Lets in who shows a good token, or everybody in development mode.
struct TokenGate: Sendable {
  /// How long before a token's end its user is told.
  static let expiryWarning = MediaDuration.seconds(Int64(30))

  private let verifier: TokenVerifier?
  private let restrictsPublishing: Bool

  /// - Parameter policy: nil for development mode.
  init(_ policy: TokenPolicy?) throws(ChannelServerError) {
    restrictsPublishing = policy?.restrictsPublishing ?? false
    guard let policy else {
      verifier = nil
      return
    }
    do throws(AccessTokenError) {
      verifier = try TokenVerifier(
        appID: policy.appID, certificates: policy.certificates, crypto: .system)
    } catch {
      throw .invalidConfiguration(error.description)
    }
  }

  /// Whether tokens are needed.
  var isClosed: Bool { verifier != nil }

  /// What a token has led to.
  enum Admission {
    case granted(ChannelGrant)
    case refused(ErrorResponse)
  }

  /// What `token` allows `uid` (0 for who wants to be given a number, nil for whomever it was made for) in a channel.
  func admission(_ token: String, channel: String, uid: UInt?) -> Admission {
    guard let verifier else { return .granted(.unlimited) }
    let (time, now) = Self.times
    do throws(AccessTokenError) {
      let rights = try verifier.rights(of: token, channel: channel, uid: uid, time: time)
      func permission(_ end: UInt64?) -> ChannelGrant.Permission {
        guard let end else { return .denied }
        return end > time ? .until(now + .seconds(Int64(clamping: end - time))) : .denied
      }
      return .granted(
        ChannelGrant(
          join: permission(rights.join),
          publishAudio: restrictsPublishing ? permission(rights.publishAudio) : .unlimited,
          publishVideo: restrictsPublishing ? permission(rights.publishVideo) : .unlimited,
          publishData: restrictsPublishing ? permission(rights.publishData) : .unlimited))
    } catch {
      return .refused(Self.refusal(error, isMissing: token.isEmpty))
    }
  }

  /// What a token for signalling has led to.
  enum SignalAdmission {
    /// Until when; nil for ever.
    case granted(MediaInstant?)
    case refused(ErrorResponse)
  }

  /// Whether `uid` may be logged in to signalling with `token`.
  func signalAdmission(_ token: String, uid: UInt) -> SignalAdmission {
    guard let verifier else { return .granted(nil) }
    let (time, now) = Self.times
    do throws(AccessTokenError) {
      let end = try verifier.signalingEnd(of: token, uid: uid, time: time)
      return .granted(now + .seconds(Int64(clamping: end > time ? end - time : 0)))
    } catch {
      return .refused(Self.refusal(error, isMissing: token.isEmpty))
    }
  }

  private static func refusal(_ error: AccessTokenError, isMissing: Bool) -> ErrorResponse {
    guard !isMissing else {
      return ErrorResponse(code: .invalidToken, message: "This server needs a token; ask who runs the application.")
    }
    let code: ControlErrorCode =
      switch error {
      case .expired: .tokenExpired
      case .wrongAppID: .invalidAppID
      default: .invalidToken
      }
    return ErrorResponse(
      code: code, message: error.description, isTokenOfOtherChannel: error == .wrongChannel ? true : nil)
  }

  /// Seconds since 1970, and the same moment on the clock that runs evenly.
  private static var times: (wall: UInt64, monotonic: MediaInstant) {
    (UInt64(clamping: Glibc.time(nil)), MonotonicClock.now())
  }
}
