import BenchmarkSupport
import CForwardingFloor
import MediaBase
import MultiBufferCrypto
import OpenSSLCrypto
import SecureChannel

/// Nanoseconds per forwarded packet without sending: whole, and without encryption.
enum CoreCost {
  static func add(to report: inout BenchmarkReport, subscribers: Int = 100, rounds: Int = 5, pictures: Int = 60) {
    guard let whole = CoreBench(subscribers: subscribers, crypto: OpenSSLCrypto.provider),
      let logic = CoreBench(subscribers: subscribers, crypto: copying)
    else { return report.fail("the core's peers do not connect") }
    // What servers use where it is there.
    let multiBuffer = MultiBufferCrypto.provider(over: OpenSSLCrypto.provider).flatMap {
      CoreBench(subscribers: subscribers, crypto: $0)
    }
    var floors: [Double] = []
    var copyFloors: [Double] = []
    var costs: [Double] = []
    var logicCosts: [Double] = []
    var multiBufferCosts: [Double] = []
    // In turns, so that what else the machine does meets all alike.
    for _ in 0..<rounds {
      guard let floor = self.floor(floor_encrypts, subscribers), let copyFloor = self.floor(floor_copies, subscribers)
      else {
        return report.fail("the floor could not be measured")
      }
      floors.append(floor)
      copyFloors.append(copyFloor)
      costs.append(measure(whole, pictures))
      logicCosts.append(measure(logic, pictures))
      if let multiBuffer { multiBufferCosts.append(measure(multiBuffer, pictures)) }
    }
    func add(_ name: String, _ costs: [Double]) {
      report.add(name, costs.percentile(0.5) ?? 0, "ns/packet")
      report.add(
        "\(name), to the floor in C", zip(costs, floors).map { $0 / $1 }.percentile(0.5) ?? 0, "times", limit: 1.15)
    }
    report.add("floor in C without sending, by libcrypto", floors.percentile(0.5) ?? 0, "ns/packet")
    add("core without sending, by libcrypto", costs)
    if multiBuffer != nil { add("core without sending, by libIPSec_MB", multiBufferCosts) }
    report.add("floor in C that copies", copyFloors.percentile(0.5) ?? 0, "ns/packet")
    report.add("core without sending and encrypting", logicCosts.percentile(0.5) ?? 0, "ns/packet", limit: 40)
  }

  static func addLogic(to report: inout BenchmarkReport, subscribers: Int = 100, rounds: Int = 50, pictures: Int = 400)
  {
    guard let logic = CoreBench(subscribers: subscribers, crypto: copying) else {
      return report.fail("the core's peers do not connect")
    }
    let costs = (0..<rounds).map { _ in measure(logic, pictures) }
    report.add("core without sending and encrypting", costs.percentile(0.5) ?? 0, "ns/packet", limit: 40)
    report.add("core without sending and encrypting, at least", costs.min() ?? 0, "ns/packet")
  }

  private static func floor(_ work: floor_work, _ subscribers: Int) -> Double? {
    var result = floor_result()
    let status = floor_measure(
      Int32(subscribers), Int32(CoreBench.packetsPerPicture), Int32(CoreBench.payloadByteCount), work, 0.1, &result)
    return status == 0 ? result.nanoseconds_per_packet : nil
  }

  private static func measure(_ bench: CoreBench, _ pictures: Int) -> Double {
    _ = bench.forwardPicture(isKey: true)
    let before = bench.forwardedPackets
    var time: Int64 = 0
    for _ in 0..<pictures { time += bench.forwardPicture(isKey: false) }
    return Double(time) / Double(max(bench.forwardedPackets - before, 1))
  }

  /// OpenSSL's, but packets are copied where they would be encrypted.
  private static let copying: CryptoProvider = {
    let real = OpenSSLCrypto.provider
    return CryptoProvider(
      makeGCM: real.makeGCM, freeGCM: real.freeGCM,
      sealGCM: { _, _, _, _, source, length, destination, _ in
        if source != UnsafePointer(destination) { destination.update(from: source, count: length) }
        return true
      },
      openGCM: { _, _, _, _, source, length, destination, _ in
        if source != UnsafePointer(destination) { destination.update(from: source, count: length) }
        return true
      },
      makeCounterMode: real.makeCounterMode, freeCounterMode: real.freeCounterMode,
      runCounterMode: real.runCounterMode, makeHMAC: real.makeHMAC, freeHMAC: real.freeHMAC, runHMAC: real.runHMAC,
      encryptBlock: real.encryptBlock, authenticateSHA1: real.authenticateSHA1, frames: real.frames)
  }()
}
