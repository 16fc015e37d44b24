// swift-tools-version: 6.3
import Foundation
import PackageDescription

// Rooms are listed floor by floor. A target may depend on targets of lower floors and of its own floor that are listed
// before it; `make lint` (scripts/check-floors) holds every import against this list.

/// Set by `make lint`: any compiler warning fails the build.
let warningsAreErrors = ProcessInfo.processInfo.environment["GREENROOM_WERROR"] != nil

let swiftSettings: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableExperimentalFeature("Lifetimes"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])

/// A C library of the system, found by pkg-config (or by its `link` line where it has no .pc file).
func library(_ name: String, pkgConfig: String? = nil, apt: String) -> Target {
  .systemLibrary(
    name: name, path: "Sources/CLibraries/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// A C target that holds macros, variadic calls and ioctls for Swift; no logic.
func shims(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/CLibraries/\(name)")
}

func room(_ floor: String, _ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(floor)/\(name)", swiftSettings: swiftSettings)
}

/// A room with files that become part of the program.
func room(_ floor: String, _ name: String, _ dependencies: [Target.Dependency], embedding files: [String]) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(floor)/\(name)",
    resources: files.map { .embedInCode($0) }, swiftSettings: swiftSettings)
}

/// Tests. What they test is optimized in a release build; optimizing the tests as well takes minutes and finds nothing, but for
/// those that play very many games or that are about the optimizer.
func tests(
  _ name: String, _ dependencies: [Target.Dependency], excluding: [String] = [], areOptimized: Bool = false
) -> Target {
  let settings: [SwiftSetting] = areOptimized ? [] : [.unsafeFlags(["-Onone"], .when(configuration: .release))]
  return .testTarget(
    name: name, dependencies: dependencies, path: "Tests/\(name)", exclude: excluding,
    swiftSettings: swiftSettings + settings)
}

func support(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Tests/Support/\(name)", swiftSettings: swiftSettings)
}

let cLibraries: [Target] = [
  library("COpus", pkgConfig: "opus", apt: "libopus-dev"),
  library("CVPX", pkgConfig: "vpx", apt: "libvpx-dev"),
  library("CYUV", apt: "libyuv-dev"),
  library("CTurboJPEG", pkgConfig: "libturbojpeg", apt: "libturbojpeg0-dev"),
  library("CPNG", pkgConfig: "libpng", apt: "libpng-dev"),
  library("CPango", pkgConfig: "pangocairo", apt: "libpango1.0-dev"),
  library("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
  library("COpenSSL", pkgConfig: "libcrypto", apt: "libssl-dev"),
  library("CALSA", pkgConfig: "alsa", apt: "libasound2-dev"),
  library("CV4L2", pkgConfig: "libv4l2", apt: "libv4l-dev"),
  library("CSDL2", pkgConfig: "sdl2", apt: "libsdl2-dev"),
  library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
  library("CHiredis", apt: "libhiredis-dev"),
  library("CFFmpeg", pkgConfig: "libavformat", apt: "libavformat-dev"),
  library("CSoup", pkgConfig: "libsoup-3.0", apt: "libsoup-3.0-dev"),
  library("CSpeexDSP", pkgConfig: "speexdsp", apt: "libspeexdsp-dev"),
  library(
    "CWebRTCAudioProcessing", pkgConfig: "webrtc-audio-processing", apt: "libwebrtc-audio-processing-dev"),
  shims("CAudioProcessingShims", ["CWebRTCAudioProcessing"]),
  shims("CLinuxShims"),
  shims("CCodecShims", ["COpus", "CVPX"]),
  shims("CDeviceShims", ["CALSA", "CV4L2"]),
]

let wire: [Target] = [
  room("Wire", "MediaBase"),
  room("Wire", "RTPWire", ["MediaBase"]),
  room("Wire", "STUNWire", ["MediaBase"]),
  room("Wire", "ControlWire", ["MediaBase"]),
  room("Wire", "SDPWire"),
  room("Wire", "WebSocketWire", ["MediaBase"]),
  room("Wire", "AccessTokens"),
]

let protocols: [Target] = [
  room("Protocols", "ICEAgent", ["MediaBase", "STUNWire"]),
  room("Protocols", "SecureChannel", ["MediaBase", "RTPWire"]),
  room("Protocols", "SFrame", ["MediaBase", "RTPWire", "SecureChannel"]),
  room("Protocols", "CongestionControl", ["MediaBase", "RTPWire"]),
  room("Protocols", "RTPSession", ["MediaBase", "RTPWire", "CongestionControl"]),
  room("Protocols", "PeerTransport", ["MediaBase", "STUNWire", "RTPWire", "ICEAgent", "SecureChannel"]),
]

let edges: [Target] = [
  room("Edges", "LinuxIO", ["CLinuxShims", "MediaBase", "RTPWire"]),
  room("Edges", "OpenSSLCrypto", ["COpenSSL", "MediaBase", "STUNWire", "SecureChannel"]),
  room("Edges", "MultiBufferCrypto", ["SecureChannel"]),
  room("Edges", "ZlibCompression", ["CZlib"]),
  room("Edges", "OpenSSLDTLS", ["COpenSSL", "MediaBase", "SecureChannel"]),
  room("Edges", "OpusCodec", ["COpus", "CCodecShims", "MediaBase"]),
  room("Edges", "VPXCodec", ["CVPX", "CCodecShims", "MediaBase"]),
  room("Edges", "PictureFiles", ["CYUV", "CPNG", "CTurboJPEG", "MediaBase"]),
  room("Edges", "PictureFilters", ["CYUV", "MediaBase"]),
  room("Edges", "SyntheticMedia", ["MediaBase", "LinuxIO"]),
  room("Edges", "AudioProcessing", ["CAudioProcessingShims", "MediaBase"]),
  room("Edges", "V4L2Capture", ["CV4L2", "CDeviceShims", "CYUV", "CTurboJPEG", "MediaBase", "LinuxIO"]),
  room("Edges", "ALSAAudio", ["CALSA", "CSpeexDSP", "CDeviceShims", "MediaBase", "LinuxIO"]),
  room(
    "Edges", "PictureComposition", ["CYUV", "CPango", "MediaBase", "LinuxIO", "PictureFiles", "SyntheticMedia"]),
  room("Edges", "SDLDisplay", ["CSDL2", "MediaBase", "LinuxIO"]),
  room(
    "Edges", "MediaFiles",
    ["CFFmpeg", "MediaBase", "RTPWire", "LinuxIO", "OpusCodec", "PictureFiles", "SyntheticMedia"]),
  room("Edges", "OpenSSLTLS", ["COpenSSL"]),
  room("Edges", "WebSocketIO", ["CSoup", "MediaBase", "ControlWire", "WebSocketWire", "LinuxIO", "OpenSSLTLS"]),
  room("Edges", "SQLiteStore", ["CSQLite"]),
  room("Edges", "RedisPubSub", ["CHiredis", "MediaBase", "LinuxIO"]),
]

let engine: [Target] = [
  room(
    "Engine", "EngineCore",
    [
      "MediaBase", "RTPWire", "STUNWire", "ControlWire", "ICEAgent", "SecureChannel", "SFrame", "RTPSession",
      "PeerTransport",
    ]),
  room(
    "Engine", "MediaEngine",
    [
      "EngineCore", "MediaBase", "RTPWire", "ControlWire", "ICEAgent", "SecureChannel", "SFrame", "RTPSession",
      "PeerTransport", "LinuxIO",
      "OpenSSLCrypto", "OpusCodec", "VPXCodec", "PictureFiles", "PictureFilters", "SyntheticMedia", "V4L2Capture",
      "ALSAAudio", "SDLDisplay", "WebSocketIO", "AudioProcessing",
    ]),
  .target(name: "CMediaEngine", path: "Sources/Engine/CMediaEngine"),
  .target(
    name: "MediaEngineC",
    dependencies: [
      "CMediaEngine", "MediaEngine", "MediaBase", "LinuxIO", "SyntheticMedia", "V4L2Capture", "ALSAAudio",
    ],
    path: "Sources/Engine/MediaEngineC", swiftSettings: swiftSettings,
    linkerSettings: [.unsafeFlags(["-Xlinker", "-soname=libMediaEngine.so.0"])]),
]

let calls: [Target] = [
  room("Calls", "Signaling", ["ControlWire", "MediaBase", "LinuxIO", "WebSocketIO"]),
  room("Calls", "CallAPI", ["ControlWire", "OpenSSLCrypto", "MediaEngine", "Signaling"]),
]

let server: [Target] = [
  room(
    "Server", "ForwardingCore",
    ["MediaBase", "RTPWire", "STUNWire", "ICEAgent", "SecureChannel", "CongestionControl", "PeerTransport"]),
  room(
    "Server", "ChannelCore", ["ForwardingCore", "MediaBase", "RTPWire", "ControlWire", "ICEAgent", "SecureChannel"]),
  room("Server", "CallSupervision", ["MediaBase", "ControlWire"]),
  room("Server", "WebRTCNegotiation", ["ChannelCore", "ForwardingCore", "ControlWire", "SDPWire"]),
  room(
    "Server", "ChannelServer",
    [
      "WebRTCNegotiation", "SDPWire", "CallSupervision", "ChannelCore", "ForwardingCore", "MediaBase", "RTPWire",
      "ControlWire",
      "ICEAgent",
      "SecureChannel", "PeerTransport", "LinuxIO", "OpenSSLCrypto", "OpenSSLDTLS", "WebSocketIO", "SQLiteStore",
      "AccessTokens", "OpenSSLTLS", "ZlibCompression", "MultiBufferCrypto",
      "RedisPubSub",
    ],
    embedding: [
      "Web/index.html", "Web/style.css", "Web/app.js", "Web/panel.js", "Web/media.js", "Web/signal.js", "Web/call.js",
      "Web/callmessage.js", "Web/callallowance.js", "Web/endedcalls.js", "Web/callapi.js", "Web/callcore.js",
      "Web/callqueue.js",
      "Web/bytes.js", "Web/callkeys.js", "Web/callroom.js", "Web/frameworker.js", "Web/sframe.js", "Web/callpanel.js",
    ]),
]

let tools: [Target] = [
  .executableTarget(
    name: "greenroom",
    dependencies: [
      "MediaEngine", "CallAPI", "Signaling", "ChannelServer", "CallSupervision", "ChannelCore", "MediaBase",
      "RedisPubSub", "ControlWire", "LinuxIO", "MediaFiles",
      "PictureFiles", "PictureComposition",
      "SyntheticMedia", "V4L2Capture", "ALSAAudio", "SDLDisplay", "WebSocketIO", "AccessTokens",
      "OpenSSLTLS",
    ],
    path: "Sources/Tools/greenroom", swiftSettings: swiftSettings),
  .executableTarget(
    name: "examples",
    dependencies: ["MediaEngine", "CallAPI", "Signaling", "ChannelServer", "SyntheticMedia"], path: "Examples",
    exclude: ["C"], swiftSettings: swiftSettings),
]

let testTargets: [Target] = [
  .target(name: "CAllocationCounter", path: "Tests/Support/CAllocationCounter"),
  support("TestSupport", ["LinuxIO", "MediaBase"]),
  support("StoredPictures", ["MediaBase", "PictureFiles"]),
  support(
    "MediaSimulation",
    [
      "MediaBase", "RTPWire", "ControlWire", "EngineCore", "ChannelCore", "ForwardingCore", "CallAPI", "OpenSSLCrypto",
      "SecureChannel", "SFrame", "ICEAgent", "PeerTransport", "RTPSession",
    ]),
  tests("MediaBaseTests", ["MediaBase", "TestSupport"], areOptimized: true),
  tests("RTPWireTests", ["RTPWire", "MediaBase", "TestSupport"]),
  tests("STUNWireTests", ["STUNWire", "MediaBase", "OpenSSLCrypto", "TestSupport"]),
  tests("SDPWireTests", ["SDPWire", "MediaBase", "TestSupport"]),
  tests("WebSocketWireTests", ["WebSocketWire", "MediaBase", "TestSupport"]),
  tests("ControlWireTests", ["ControlWire", "WebSocketIO", "MediaBase", "TestSupport"]),
  tests("ICEAgentTests", ["ICEAgent", "STUNWire", "MediaBase", "OpenSSLCrypto", "SecureChannel", "TestSupport"]),
  tests(
    "AccessTokensTests", ["AccessTokens", "OpenSSLCrypto", "ZlibCompression", "MediaBase", "TestSupport"],
    excluding: ["Python"]),
  tests(
    "SecureChannelTests",
    ["SecureChannel", "OpenSSLCrypto", "MultiBufferCrypto", "RTPWire", "MediaBase", "TestSupport"]),
  tests("SFrameTests", ["SFrame", "SecureChannel", "OpenSSLCrypto", "RTPWire", "MediaBase", "TestSupport"]),
  tests("OpenSSLDTLSTests", ["OpenSSLDTLS", "SecureChannel", "MediaBase", "TestSupport"]),
  tests("CongestionControlTests", ["CongestionControl", "RTPWire", "MediaBase", "TestSupport"]),
  tests("RTPSessionTests", ["RTPSession", "CongestionControl", "RTPWire", "MediaBase", "TestSupport"]),
  tests(
    "PeerTransportTests",
    ["PeerTransport", "ICEAgent", "SecureChannel", "STUNWire", "RTPWire", "OpenSSLCrypto", "MediaBase", "TestSupport"]),
  tests("LinuxIOTests", ["LinuxIO", "MediaBase", "TestSupport"]),
  tests(
    "CodecTests",
    ["OpusCodec", "VPXCodec", "SyntheticMedia", "PictureFiles", "LinuxIO", "MediaBase", "TestSupport"]),
  tests(
    "PictureCompositionTests",
    [
      "PictureComposition", "PictureFiles", "SDLDisplay", "StoredPictures", "SyntheticMedia", "MediaBase",
      "TestSupport",
    ],
    excluding: ["Pictures"]),
  tests("PictureFiltersTests", ["PictureFilters", "MediaBase", "TestSupport"]),
  tests(
    "MediaFilesTests",
    ["MediaFiles", "OpusCodec", "VPXCodec", "PictureFiles", "SyntheticMedia", "MediaBase", "LinuxIO", "TestSupport"]),
  tests("AudioProcessingTests", ["AudioProcessing", "MediaBase", "TestSupport"]),
  tests(
    "DeviceTests",
    [
      "CALSA", "CV4L2", "CTurboJPEG", "V4L2Capture", "ALSAAudio", "SDLDisplay", "LinuxIO", "MediaBase", "TestSupport",
    ]),
  .executableTarget(
    name: "DeviceLab", dependencies: ["V4L2Capture", "ALSAAudio", "AudioProcessing", "LinuxIO", "MediaBase"],
    path: "Tests/DeviceLab/Sources", swiftSettings: swiftSettings),
  tests("DeviceLabTests", ["DeviceLab", "greenroom", "TestSupport"]),
  tests("WebSocketIOTests", ["WebSocketIO", "WebSocketWire", "OpenSSLTLS", "LinuxIO", "MediaBase", "TestSupport"]),
  tests(
    "ForwardingCoreTests",
    [
      "ForwardingCore", "ChannelCore", "ControlWire", "RTPWire", "STUNWire", "ICEAgent", "SecureChannel",
      "PeerTransport", "RTPSession", "CongestionControl", "OpenSSLCrypto", "OpenSSLDTLS", "MediaBase", "TestSupport",
      "CAllocationCounter",
    ]),
  tests(
    "WebRTCNegotiationTests",
    ["WebRTCNegotiation", "ChannelCore", "ForwardingCore", "ControlWire", "SDPWire", "MediaBase", "TestSupport"]),
  tests("CallSupervisionTests", ["CallSupervision", "ControlWire", "WebSocketIO", "MediaBase", "TestSupport"]),
  tests("SQLiteStoreTests", ["SQLiteStore", "TestSupport"]),
  tests(
    "RedisPubSubTests",
    ["RedisPubSub", "ChannelServer", "ControlWire", "Signaling", "LinuxIO", "MediaBase", "TestSupport"]),
  tests(
    "ChannelServerTests",
    [
      "ChannelServer", "CallSupervision", "ChannelCore", "ControlWire", "WebSocketIO", "WebSocketWire", "LinuxIO",
      "MediaBase", "AccessTokens", "OpenSSLTLS", "TestSupport",
    ]),
  tests(
    "EngineCoreTests",
    [
      "EngineCore", "ControlWire", "RTPSession", "PeerTransport", "OpenSSLCrypto", "SecureChannel", "SFrame",
      "ICEAgent", "MediaBase", "TestSupport",
    ]),
  tests(
    "MediaEngineTests",
    [
      "MediaEngine", "EngineCore", "ControlWire", "AccessTokens", "PictureFiles", "ChannelServer", "SyntheticMedia",
      "MediaFiles", "MediaBase", "LinuxIO", "VPXCodec", "TestSupport",
    ]),
  tests(
    "SignalingTests",
    [
      "Signaling", "ChannelServer", "ChannelCore", "ControlWire", "WebSocketIO", "LinuxIO", "MediaBase", "TestSupport",
    ]),
  tests(
    "InteropTests",
    [
      "ChannelServer", "CallAPI", "Signaling", "MediaEngine", "ControlWire", "WebSocketIO", "SyntheticMedia", "LinuxIO",
      "MediaBase", "MediaFiles", "VPXCodec", "AccessTokens", "TestSupport",
    ], excluding: ["Python", "Pion"]),
  tests("ExampleTests", ["examples", "greenroom", "MediaEngineC", "CMediaEngine", "MediaEngine", "TestSupport"]),
  tests(
    "ToolTests", ["greenroom", "Signaling", "PictureFiles", "StoredPictures", "LinuxIO", "MediaBase", "TestSupport"],
    excluding: ["Pictures"]),
  tests(
    "CallAPITests",
    [
      "CallAPI", "CallSupervision", "OpenSSLCrypto", "ControlWire", "MediaEngine", "Signaling", "MediaSimulation",
      "MediaBase", "TestSupport",
    ], areOptimized: true),
  tests(
    "ScenarioTests",
    ["MediaSimulation", "CallAPI", "ChannelCore", "EngineCore", "ControlWire", "MediaBase", "TestSupport"]),
]

/// While working on one room: `GREENROOM_TESTS=RTPWireTests,RTPSessionTests swift build --product GreenroomPackageTests`
/// builds only those tests and what they need.
let selectedTests = ProcessInfo.processInfo.environment["GREENROOM_TESTS"].map {
  Set($0.split(separator: ",").map(String.init))
}
let builtTests = testTargets.filter { target in
  target.type != .test || selectedTests?.contains(target.name) ?? true
}

let package = Package(
  name: "Greenroom",
  products: [
    .library(name: "MediaEngine", targets: ["MediaEngine"]),
    .library(name: "MediaEngineC", type: .dynamic, targets: ["MediaEngineC"]),
    .library(name: "CallAPI", targets: ["CallAPI", "Signaling"]),
    .library(name: "ChannelServer", targets: ["ChannelServer"]),
    .library(
      name: "GreenroomWire", targets: ["MediaBase", "RTPWire", "STUNWire", "ControlWire", "SDPWire", "WebSocketWire"]),
    .library(
      name: "GreenroomProtocols",
      targets: [
        "ICEAgent", "SecureChannel", "SFrame", "CongestionControl", "RTPSession", "PeerTransport", "ForwardingCore",
        "ChannelCore",
        "CallSupervision", "WebRTCNegotiation", "AccessTokens", "ZlibCompression", "OpenSSLCrypto",
        "MultiBufferCrypto",
      ]),
    .library(
      name: "GreenroomEdges",
      targets: [
        "LinuxIO", "OpenSSLDTLS", "OpusCodec", "VPXCodec", "PictureFiles", "PictureFilters", "PictureComposition",
        "SyntheticMedia", "V4L2Capture", "ALSAAudio", "SDLDisplay", "MultiBufferCrypto",
        "MediaFiles", "WebSocketIO", "AudioProcessing",
      ]),
    .executable(name: "greenroom", targets: ["greenroom"]),
  ],
  targets: cLibraries + wire + protocols + edges + engine + calls + server + tools + builtTests
)
