import Foundation

/// What the command line and the environment say.
struct Options {
  /// GREENROOM names the program, PION_SFU the Pion SFU if it could be built.
  let greenroom = ProcessInfo.processInfo.environment["GREENROOM"] ?? ".build/release/greenroom"
  let pion = ProcessInfo.processInfo.environment["PION_SFU"]
  /// Seconds of each measurement.
  var seconds = 4.0
  var subscribers = 100
  var pictureRate = 300
  /// What the comparison with Pion runs at: as much as it can take.
  var slowPictureRate = 60
  var speakers = 20
  var loudestSpeakers = 3
  var listeners = 500
  var idleSubscribers = 500
  var channels = 1_000
  /// Datagrams a second.
  var floodRate = 50_000
  /// Whether bench and servers come before everything else that runs on the machine; allowed to root only.
  var isRealtime = false
  /// Which parts to run; all if empty.
  var parts: Set<String> = []

  static let usage = """
    Forwarding [--seconds S] [--subscribers N] [--rate PICTURES] [--slow-rate PICTURES] [--speakers N] [--loudest N]
               [--listeners N] [--idle N] [--channels N] [--flood N] [--realtime 1] [PART…]
    Parts: floor video pion audio memory channels flood
    """

  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--") else {
        parts.insert(argument)
        continue
      }
      guard let text = rest.popFirst(), let value = Double(text), value > 0 else { return nil }
      switch argument {
      case "--seconds": seconds = value
      case "--subscribers": subscribers = Int(value)
      case "--rate": pictureRate = Int(value)
      case "--slow-rate": slowPictureRate = Int(value)
      case "--speakers": speakers = Int(value)
      case "--loudest": loudestSpeakers = Int(value)
      case "--realtime": isRealtime = true
      case "--listeners": listeners = Int(value)
      case "--idle": idleSubscribers = Int(value)
      case "--channels": channels = Int(value)
      case "--flood": floodRate = Int(value)
      default: return nil
      }
    }
  }

  func includes(_ part: String) -> Bool { parts.isEmpty || parts.contains(part) }
}
