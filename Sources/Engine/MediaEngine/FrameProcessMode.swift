/// What a frame delegate may do.
public enum FrameProcessMode: Int, Sendable {
  /// It looks and listens; what it gives back does not count.
  case readOnly = 0
  /// What it gives back goes on in the frame's place; nothing drops a picture and makes sound silent.
  case readWrite = 1
}
