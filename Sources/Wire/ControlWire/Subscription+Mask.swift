extension Subscription {
  /// Takes out of all of it what `tracks` has not.
  public mutating func mask(_ tracks: TrackFlags) {
    everyone = everyone.intersection(tracks)
    users = users.mapValues { $0.intersection(tracks) }
  }
}

extension TrackFlags {
  /// The tracks that both have.
  public func intersection(_ other: TrackFlags) -> TrackFlags {
    TrackFlags(audio: audio && other.audio, video: video && other.video)
  }
}
