/// Why a remote user's sound is bad. The raw values are those of the SDKs.
public struct ExperiencePoorReason: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: Int

  /// Makes a set of its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The way from the remote user to the server loses or delays packets.
  public static let remoteNetworkQualityPoor = ExperiencePoorReason(rawValue: 1)
  /// The way from the server to here does.
  public static let localNetworkQualityPoor = ExperiencePoorReason(rawValue: 2)
  /// Never told: how strong a wireless signal is shows in what it loses.
  public static let wirelessSignalPoor = ExperiencePoorReason(rawValue: 4)
  /// Never told: Linux does not say which radio disturbs which.
  public static let wifiBluetoothCoexist = ExperiencePoorReason(rawValue: 8)
}
