import MediaBase

/// One way in which a camera can deliver pictures.
struct CameraMode: Equatable {
  var format: CameraPixelFormat
  var width: Int
  var height: Int
  /// The highest rate in this mode, in frames per second; `nil` where the driver does not say.
  var highestRate: Double?

  /// The mode that comes nearest to `wanted`: first by size, then by whether the rate is reached, then by the cheaper
  /// conversion (the order of `modes`).
  static func best(of modes: [CameraMode], for wanted: VideoCaptureFormat) -> CameraMode? {
    var best: (mode: CameraMode, penalty: (Int, Int))?
    for mode in modes {
      let penalty = (mode.sizePenalty(wanted), mode.ratePenalty(wanted))
      if let current = best, current.penalty <= penalty { continue }
      best = (mode, penalty)
    }
    return best?.mode
  }

  /// Pixels too many, or (four times as bad, since scaling up shows) too few.
  private func sizePenalty(_ wanted: VideoCaptureFormat) -> Int {
    [(width, wanted.width), (height, wanted.height)].reduce(0) { sum, pair in
      sum + (pair.0 >= pair.1 ? pair.0 - pair.1 : 4 * (pair.1 - pair.0))
    }
  }

  /// Frames per second missing.
  private func ratePenalty(_ wanted: VideoCaptureFormat) -> Int {
    guard let highestRate else { return 0 }
    return max(0, wanted.frameRate - Int((highestRate + 0.5).rounded(.down)))
  }
}
