/// What a user of a channel may do. The raw values are those of the SDKs.
public enum ClientRole: Int, Codable, Sendable {
  /// Publishes and subscribes.
  case broadcaster = 1
  /// Subscribes only.
  case audience = 2
}

/// How a channel treats its users. The raw values are those of the SDKs.
public enum ChannelProfile: Int, Codable, Sendable {
  /// Everybody publishes and sees everybody.
  case communication = 0
  /// Only broadcasters publish and are seen.
  case liveBroadcasting = 1
}

/// Which of a user's tracks; what is published, wanted or muted.
public struct TrackFlags: Hashable, Codable, Sendable {
  /// The microphone's track.
  public var audio: Bool
  /// The camera's track.
  public var video: Bool

  /// Makes flags.
  public init(audio: Bool, video: Bool) {
    self.audio = audio
    self.video = video
  }

  /// Neither track.
  public static let none = TrackFlags(audio: false, video: false)
}

/// The SSRCs of one user's tracks on one connection: those the user sends with, or those a subscriber receives them by.
/// The server chooses them all.
public struct TrackSSRCs: Hashable, Codable, Sendable {
  /// Opus.
  public var audio: UInt32
  /// VP8.
  public var video: UInt32
  /// Retransmissions of `video` (RFC 4588).
  public var videoRTX: UInt32

  /// Makes a set of SSRCs.
  public init(audio: UInt32, video: UInt32, videoRTX: UInt32) {
    self.audio = audio
    self.video = video
    self.videoRTX = videoRTX
  }
}

/// RTP payload types and header extension ids of a connection (RFC 3551, RFC 8285).
public struct RTPParameters: Hashable, Codable, Sendable {
  /// Payload type of Opus (RFC 7587).
  public var opus: UInt8
  /// Payload type of VP8 (RFC 7741).
  public var vp8: UInt8
  /// Payload type of VP8's retransmissions (RFC 4588).
  public var rtx: UInt8
  /// Id of the audio level extension (RFC 6464).
  public var audioLevelExtension: UInt8
  /// Id of the transport-wide sequence number extension.
  public var transportCCExtension: UInt8
  /// Id of the capture time extension in what is published; servers that do not know it say nothing.
  public var captureTimeExtension: UInt8?

  /// Makes parameters; the defaults are what the server announces.
  public init(
    opus: UInt8 = 111, vp8: UInt8 = 96, rtx: UInt8 = 97, audioLevelExtension: UInt8 = 1,
    transportCCExtension: UInt8 = 3, captureTimeExtension: UInt8? = 4
  ) {
    self.opus = opus
    self.vp8 = vp8
    self.rtx = rtx
    self.audioLevelExtension = audioLevelExtension
    self.transportCCExtension = transportCCExtension
    self.captureTimeExtension = captureTimeExtension
  }
}

/// One side's ICE user name fragment and password (RFC 8839 section 5.4).
public struct ICEParameters: Hashable, Codable, Sendable {
  /// 4 to 256 ice-chars.
  public var usernameFragment: String
  /// 22 to 256 ice-chars.
  public var password: String

  /// Makes parameters.
  public init(usernameFragment: String, password: String) {
    self.usernameFragment = usernameFragment
    self.password = password
  }

  /// Whether lengths and characters are those of RFC 8839 section 5.4.
  public var isValid: Bool {
    Self.isICEText(usernameFragment, 4...256) && Self.isICEText(password, 22...256)
  }

  private static func isICEText(_ text: String, _ lengths: ClosedRange<Int>) -> Bool {
    lengths.contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
          true
        default: false
        }
      }
  }
}

/// An address where the server answers connectivity checks.
public struct CandidateAddress: Hashable, Codable, Sendable {
  /// IPv4 or IPv6 text.
  public var host: String
  /// UDP or TCP port.
  public var port: UInt16
  /// `udp` or `tcp` (passive, RFC 6544); UDP if it is not said. Others may come.
  public var transport: String?

  /// Makes an address.
  public init(host: String, port: UInt16, transport: String? = nil) {
    self.host = host
    self.port = port
    self.transport = transport
  }

  /// Whether datagrams are sent to it by UDP.
  public var isUDP: Bool { transport == nil || transport == "udp" }
}

/// Keys of both directions for AEAD_AES_128_GCM (RFC 7714), as lower-case hexadecimal: 16 bytes of key, 12 bytes of salt.
/// They travel only over TLS or loopback.
public struct SRTPParameters: Hashable, Codable, Sendable {
  /// What the client encrypts with: key then salt, 56 hexadecimal digits.
  public var clientKey: String
  /// What the server encrypts with: key then salt, 56 hexadecimal digits.
  public var serverKey: String

  /// Makes parameters.
  public init(clientKey: String, serverKey: String) {
    self.clientKey = clientKey
    self.serverKey = serverKey
  }
}

/// A user whom others in the channel can see.
public struct ChannelUser: Hashable, Codable, Sendable {
  /// The user's number.
  public var uid: UInt
  /// What the user publishes now.
  public var published: TrackFlags
  /// The SSRCs by which the receiver of this message will get the user's tracks.
  public var ssrcs: TrackSSRCs
  /// How the user's application has set its sending, if it has said so.
  public var mediaState: UserMediaState?

  /// Makes a user.
  public init(uid: UInt, published: TrackFlags, ssrcs: TrackSSRCs, mediaState: UserMediaState? = nil) {
    self.uid = uid
    self.published = published
    self.ssrcs = ssrcs
    self.mediaState = mediaState
  }
}

/// Why a user is no longer seen. The raw values are those of the SDKs.
public enum UserOfflineReason: Int, Codable, Sendable {
  /// Left on purpose.
  case quit = 0
  /// Gone without a word for too long.
  case dropped = 1
  /// Is audience now.
  case becameAudience = 2
}

/// Machine-readable causes in `error` and `removed`; the raw values are the SDKs' error codes where one fits.
///
/// A code that this version does not know is read as `refused`, so that its sentence still reaches people.
public enum ControlErrorCode: Int, Codable, Sendable {
  /// Something in the message is missing or out of range.
  case invalidArgument = 2
  /// Refused for a reason that has no code here.
  case refused = 5
  /// Not possible in the present state (a second `join`, `update` before `join`).
  case invalidState = 8
  /// The token does not allow to send data.
  case noPermission = 9
  /// Too many requests, users or channels.
  case resourceLimited = 22
  /// The application id is not this server's.
  case invalidAppID = 101
  /// The channel's name is not allowed.
  case invalidChannelName = 102
  /// The token has run out.
  case tokenExpired = 109
  /// The token is not for this user and channel, or is forged.
  case invalidToken = 110
  /// The token does not allow to publish, and so not to become a broadcaster.
  case roleNotAuthorized = 119
  /// `uid` is 0 or too large.
  case invalidUID = 121
  /// The user may not be here.
  case banned = 123
  /// The same uid has joined again elsewhere; the newer connection stays.
  case sameUIDLogin = 1_019
  /// The message is not JSON of a known type.
  case malformedMessage = 1_400
  /// The other side speaks another version of this protocol.
  case unsupportedVersion = 1_401
  /// The addressed user is not logged in.
  case userOffline = 1_404
  /// The addressed user's client has not confirmed the text in time: it may have come or not.
  case notConfirmed = 1_408
  /// The server where the addressed user may be cannot be reached at the moment.
  case clusterUnavailable = 1_502
  /// The server is going away.
  case shuttingDown = 1_503

  /// Takes the number.
  public init(from decoder: any Decoder) throws {
    self = ControlErrorCode(rawValue: try decoder.singleValueContainer().decode(Int.self)) ?? .refused
  }
}
