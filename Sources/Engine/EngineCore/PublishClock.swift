import MediaBase

/// How long a remote user has published a track, as far as this side sees it.
struct PublishClock {
  private var total = MediaDuration.zero
  private var start: MediaInstant?

  mutating func set(_ isPublished: Bool, now: MediaInstant) {
    if let start, !isPublished { total = total + (now - start) }
    start = isPublished ? start ?? now : nil
  }

  func duration(now: MediaInstant) -> MediaDuration { total + (start.map { now - $0 } ?? .zero) }
}
