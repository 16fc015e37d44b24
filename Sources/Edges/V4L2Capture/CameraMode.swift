import MediaBase

/// One way in which a camera can deliver pictures.
struct CameraMode: Equatable {
  var format: CameraPixelFormat
  var width: Int
  var height: Int
  /// The highest rate in this mode, in frames per second; `nil` where the driver does not say.
  var highestRate: Double?

  /// The mode that comes nearest to `wanted`. Among modes that are large and fast enough: raw before JPEG, then the
  /// smallest, then the cheapest conversion (the order of `modes`). If there is none: by size, then by rate, then the same.
  static func best(of modes: [CameraMode], for wanted: VideoCaptureFormat) -> CameraMode? {
    var best: (mode: CameraMode, penalty: (Int, Int, Int, Int))?
    for mode in modes {
      let penalty = mode.penalty(wanted)
      if let current = best, current.penalty <= penalty { continue }
      best = (mode, penalty)
    }
    return best?.mode
  }

  private func penalty(_ wanted: VideoCaptureFormat) -> (Int, Int, Int, Int) {
    let suffices = width >= wanted.width && height >= wanted.height && ratePenalty(wanted) == 0
    let compression = format.isCompressed ? 1 : 0
    return suffices
      ? (0, compression, sizePenalty(wanted), 0) : (1, sizePenalty(wanted), ratePenalty(wanted), compression)
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
