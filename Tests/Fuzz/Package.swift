// swift-tools-version: 6.3
import PackageDescription

// Its own package, so that only this build carries the fuzzer's instrumentation: `scripts/fuzz` builds and runs it.
let package = Package(
  name: "GreenroomFuzz",
  dependencies: [.package(name: "Greenroom", path: "../..")],
  targets: [
    .executableTarget(
      name: "ParserFuzzer",
      dependencies: [
        .product(name: "GreenroomWire", package: "Greenroom"),
        .product(name: "GreenroomProtocols", package: "Greenroom"),
        .product(name: "GreenroomEdges", package: "Greenroom"),
        .product(name: "CallAPI", package: "Greenroom"),
      ],
      swiftSettings: [
        .swiftLanguageMode(.v6), .enableExperimentalFeature("Lifetimes"), .unsafeFlags(["-parse-as-library"]),
      ])
  ]
)
