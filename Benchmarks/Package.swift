// swift-tools-version: 6.3
import PackageDescription

// One executable for each subject; `scripts/bench` builds and runs them all. Limits are ratios to a baseline that is
// measured in the same run, because machines differ and are shared.
let swiftSettings: [SwiftSetting] = [.swiftLanguageMode(.v6), .enableExperimentalFeature("Lifetimes")]

func subject(
  _ name: String, _ products: [String], _ targets: [Target.Dependency] = [], wrapping functions: [String] = []
) -> Target {
  .executableTarget(
    name: name,
    dependencies: ["BenchmarkSupport"] + targets + products.map { .product(name: $0, package: "Greenroom") },
    swiftSettings: swiftSettings,
    linkerSettings: functions.isEmpty ? [] : [.unsafeFlags(functions.flatMap { ["-Xlinker", "--wrap=\($0)"] })])
}

let package = Package(
  name: "GreenroomBenchmarks",
  dependencies: [.package(name: "Greenroom", path: "..")],
  targets: [
    .target(
      name: "BenchmarkSupport",
      dependencies: [
        .product(name: "GreenroomWire", package: "Greenroom"), .product(name: "GreenroomEdges", package: "Greenroom"),
        .product(name: "MediaEngine", package: "Greenroom"), .product(name: "ChannelServer", package: "Greenroom"),
      ],
      swiftSettings: swiftSettings),
    .target(name: "CRawEncoder", linkerSettings: [.linkedLibrary("vpx")]),
    .target(name: "CThreadAllocations"),
    .target(name: "CForwardingFloor", linkerSettings: [.linkedLibrary("crypto")]),
    .target(name: "CTestCamera"),
    subject(
      "CaptureLatency", ["GreenroomWire", "GreenroomEdges", "MediaEngine", "ChannelServer"], ["CTestCamera"],
      wrapping: ["cds_open", "cds_ioctl", "cds_map"]),
    subject("EncodeLatency", ["GreenroomWire", "GreenroomEdges", "MediaEngine"], ["CRawEncoder"]),
    subject("FilterCost", ["GreenroomWire", "GreenroomEdges"]),
    subject("GlassToGlass", ["GreenroomWire", "GreenroomEdges", "MediaEngine", "ChannelServer"]),
    subject("JoinTimes", ["GreenroomWire", "GreenroomEdges", "MediaEngine", "ChannelServer"]),
    subject("CallTimes", ["GreenroomEdges", "MediaEngine", "CallAPI"]),
    subject(
      "ForwardingCost", ["GreenroomWire", "GreenroomProtocols", "GreenroomEdges", "MediaEngine"],
      ["CThreadAllocations", "CForwardingFloor"]),
    subject("Forwarding", ["GreenroomWire", "GreenroomProtocols", "GreenroomEdges"], ["CForwardingFloor"]),
    subject("APICalls", ["GreenroomWire", "GreenroomEdges", "MediaEngine", "ChannelServer"]),
    subject("ReceiveCost", ["GreenroomWire", "GreenroomEdges", "MediaEngine"]),
    subject("EncryptionCost", ["GreenroomWire", "GreenroomProtocols", "GreenroomEdges"]),
    subject("SignalLoad", ["GreenroomWire", "GreenroomEdges", "ChannelServer"]),
    subject("IdleCost", ["GreenroomEdges", "MediaEngine", "ChannelServer"]),
  ]
)
