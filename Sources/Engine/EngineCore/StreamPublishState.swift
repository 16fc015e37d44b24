/// Where the publishing of one track on one connection stands. The raw values are those of the SDKs.
public enum StreamPublishState: Int, Sendable, CaseIterable {
  /// Not in the channel.
  case idle = 0
  /// Not to be published: flag, mute, role, device or right is missing.
  case noPublished = 1
  /// To be published; nothing has been sent yet.
  case publishing = 2
  /// The first frame has been sent.
  case published = 3
}
