import EngineCore

extension RTCEngine {
  /// Tries microphone and speaker before joining: what is said is heard `intervalInSeconds` later. The engine listens for
  /// that long, plays what it has heard for as long, and goes on so until `stopEchoTest()`. No server and no other user is
  /// needed; no channel can be joined meanwhile (-8).
  ///
  /// - Parameter intervalInSeconds: 2 to 10.
  /// - Returns: 0; -2 (out of range), -3 (the engine has no microphone), -8 (in a channel, a test runs already, or audio is
  ///   turned off), -7.
  @discardableResult public func startEchoTest(intervalInSeconds: Int = 2) -> Int {
    runtime.change { [runtime] intent, _ in
      guard (2...10).contains(intervalInSeconds) else { return .invalidArgument }
      guard intent.hasMicrophone else { return .notReady }
      guard intent.connections.isEmpty, intent.echoTestInterval == nil, intent.isAudioModuleOn,
        intent.isLocalAudioEnabled
      else { return .invalidState }
      intent.echoTestInterval = intervalInSeconds
      intent.hasMicrophoneFailed = false
      runtime.echoTest.start(seconds: intervalInSeconds)
      return .ok
    }
  }

  /// Ends the echo test; channels can be joined again.
  ///
  /// - Returns: 0; -5 (no test runs), -7.
  @discardableResult public func stopEchoTest() -> Int {
    runtime.change { [runtime] intent, _ in
      guard intent.echoTestInterval != nil else { return .refused }
      intent.echoTestInterval = nil
      runtime.echoTest.stop()
      return .ok
    }
  }
}
