import CMediaEngine
import Foundation
import MediaEngine
import MediaEngineC
import TestSupport
import Testing

/// The engine as programs in C find it: installed, found by CMake, linked, run against a server process.
@Suite(.serialized, .ownThread) struct CInterfaceTests {
  @Test func `a C program finds the engine by CMake, and what it does wrong is told by codes`() throws {
    let library = try #require(ProgramRun.built("libMediaEngineC.so"))
    let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("greenroom-c-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: scratch) }
    let prefix = scratch.appendingPathComponent("prefix").path
    let build = scratch.appendingPathComponent("build").path
    try succeed("scripts/install-c", [prefix, library.path])
    // Built with the address sanitizer, which also sees what the library does with the program's memory by libc.
    try succeed(
      "cmake",
      ["-G", "Ninja", "-S", "Examples/C", "-B", build, "-DCMAKE_PREFIX_PATH=\(prefix)", "-DSANITIZE=ON"])
    try succeed("cmake", ["--build", build])

    let program = try #require(ProgramRun.built("greenroom"))
    let (server, output) = try ProgramRun.start(
      program, ["serve", "--dev", "--http", "127.0.0.1:0", "--udp", "127.0.0.1:0", "--seconds", "600"])
    defer {
      server.terminate()
      server.waitUntilExit()
    }
    let line = String(decoding: output.availableData, as: UTF8.self)
    let url = try #require(line.split(whereSeparator: { " ,".contains($0) }).first { $0.hasPrefix("ws://") })
    for name in ["show", "misuse"] {
      // Leaks are not looked for: Swift keeps weak references in a form that the sanitizer cannot follow.
      let outcome = try ProgramRun.run(
        URL(fileURLWithPath: "\(build)/\(name)"), [String(url)], environment: ["ASAN_OPTIONS": "detect_leaks=0"])
      #expect(outcome.status == 0, "\(outcome.text)")
      #expect(outcome.text.hasSuffix("\(name): done\n"), "\(outcome.text)")
    }
  }

  private func succeed(_ program: String, _ arguments: [String]) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let outcome = try ProgramRun.run(
      URL(fileURLWithPath: "/usr/bin/env"), ["-C", root.path, program] + arguments)
    try #require(outcome.status == 0, "\(outcome.text)")
  }

  @Test func `the header's numbers are the engine's`() {
    func number<Value: RawRepresentable>(_ value: Value) -> Int where Value.RawValue == UInt32 { Int(value.rawValue) }
    let errors: [(media_engine_error, EngineErrorCode)] = [
      (MEDIA_ENGINE_ERROR_OK, .ok), (MEDIA_ENGINE_ERROR_FAILED, .failed),
      (MEDIA_ENGINE_ERROR_INVALID_ARGUMENT, .invalidArgument), (MEDIA_ENGINE_ERROR_NOT_READY, .notReady),
      (MEDIA_ENGINE_ERROR_NOT_SUPPORTED, .notSupported), (MEDIA_ENGINE_ERROR_REFUSED, .refused),
      (MEDIA_ENGINE_ERROR_NOT_INITIALIZED, .notInitialized), (MEDIA_ENGINE_ERROR_INVALID_STATE, .invalidState),
      (MEDIA_ENGINE_ERROR_TIMED_OUT, .timedOut), (MEDIA_ENGINE_ERROR_JOIN_REJECTED, .joinRejected),
      (MEDIA_ENGINE_ERROR_LEAVE_REJECTED, .leaveRejected), (MEDIA_ENGINE_ERROR_INVALID_APP_ID, .invalidAppID),
      (MEDIA_ENGINE_ERROR_INVALID_CHANNEL_NAME, .invalidChannelName),
      (MEDIA_ENGINE_ERROR_TOKEN_EXPIRED, .tokenExpired), (MEDIA_ENGINE_ERROR_INVALID_TOKEN, .invalidToken),
      (MEDIA_ENGINE_ERROR_NOT_IN_CHANNEL, .notInChannel), (MEDIA_ENGINE_ERROR_SIZE_TOO_LARGE, .sizeTooLarge),
      (MEDIA_ENGINE_ERROR_BITRATE_LIMIT, .bitrateLimit),
      (MEDIA_ENGINE_ERROR_TOO_MANY_DATA_STREAMS, .tooManyDataStreams),
      (MEDIA_ENGINE_ERROR_INVALID_USER_ID, .invalidUserID),
      (MEDIA_ENGINE_ERROR_CLIENT_IS_BANNED, .clientIsBannedByServer),
    ]
    for (ours, engines) in errors { #expect(number(ours) == engines.rawValue) }
    #expect(number(MEDIA_ENGINE_ROLE_BROADCASTER) == ClientRole.broadcaster.rawValue)
    #expect(number(MEDIA_ENGINE_ROLE_AUDIENCE) == ClientRole.audience.rawValue)
    #expect(number(MEDIA_ENGINE_LATENCY_LOW) == AudienceLatencyLevel.lowLatency.rawValue)
    #expect(number(MEDIA_ENGINE_LATENCY_ULTRA_LOW) == AudienceLatencyLevel.ultraLowLatency.rawValue)
    #expect(number(MEDIA_ENGINE_PROFILE_COMMUNICATION) == ChannelProfile.communication.rawValue + 1)
    #expect(number(MEDIA_ENGINE_PROFILE_LIVE) == ChannelProfile.liveBroadcasting.rawValue + 1)
    #expect(number(MEDIA_ENGINE_DISCONNECTED) == ConnectionState.disconnected.rawValue)
    #expect(number(MEDIA_ENGINE_CONNECTION_FAILED) == ConnectionState.failed.rawValue)
    #expect(number(MEDIA_ENGINE_REMOTE_DECODING) == RemoteVideoState.decoding.rawValue)
    #expect(number(MEDIA_ENGINE_REMOTE_FAILED) == RemoteAudioState.failed.rawValue)
    #expect(number(MEDIA_ENGINE_OFFLINE_DROPPED) == UserOfflineReason.dropped.rawValue)
    #expect(number(MEDIA_ENGINE_OFFLINE_BECAME_AUDIENCE) == UserOfflineReason.becameAudience.rawValue)
    #expect(number(MEDIA_ENGINE_ENCRYPTION_AES_128_GCM) == EncryptionMode.aes128GCM.rawValue)
    #expect(number(MEDIA_ENGINE_ENCRYPTION_AES_256_GCM2) == EncryptionMode.aes256GCM2.rawValue)
    #expect(number(MEDIA_ENGINE_ENCRYPTION_DECRYPTION_FAILURE) == EncryptionErrorType.decryptionFailure.rawValue)
    #expect(
      number(MEDIA_ENGINE_ENCRYPTION_DATA_ENCRYPTION_FAILURE)
        == EncryptionErrorType.dataStreamEncryptionFailure.rawValue)
    #expect(number(MEDIA_ENGINE_NETWORK_WIFI) == NetworkType.wifi.rawValue)
    #expect(number(MEDIA_ENGINE_NETWORK_MOBILE) == NetworkType.mobile4G.rawValue)
    #expect(number(MEDIA_ENGINE_QUALITY_DOWN) == NetworkQuality.down.rawValue)
    #expect(String(cString: media_engine_version()) == "0.1.0")
  }
}
