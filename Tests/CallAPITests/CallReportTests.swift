import ControlWire
import Signaling
import Synchronization
import TestSupport
import Testing

@testable import CallAPI

@Suite("What reporters and later calls get to know", .timeLimit(.minutes(10)), .ownThread)
struct CallReportTests {
  private final class Notes: CallReporter {
    private let taken = Mutex<[CallReport]>([])
    var all: [CallReport] { taken.withLock { $0 } }
    func report(_ report: CallReport) { taken.withLock { $0.append(report) } }
  }

  @Test("methods, changes of state, events and costs are reported in order, before listeners are told")
  func order() {
    var bench = CallBench.prepared()
    bench[1].machine.isReporting = true
    bench.call(1, 2)
    #expect(
      bench.log(1) == [
        "report call 0", "M>call 2", "report stateChange 0", "timer 15000", "S(2,30)", "report eventChange 0", "E140",
        "join R1 video publishing", "report eventChange 0", "E10",
      ])
    bench.run(milliseconds: 100)
    bench.accept(2, 1)
    bench.clear()
    bench.run(milliseconds: 100)
    #expect(
      bench.log(1) == [
        "report acceptCall 110", "report stateChange 0", "S(3,7)", "report eventChange 0", "E103",
        "report recvFirstFrame 130", "report eventChange 0", "E113", "CC 1", "report stateChange 0", "timer off",
        "reveal R1 2", "report firstFramePerceived 20", "report firstFrameActual 130", "S(4,13)",
      ])
  }

  @Test("without a reporter nothing is reported")
  func silence() {
    var bench = CallBench.connected()
    bench.hangUp(1, 2)
    bench.run(milliseconds: 100)
    #expect(!bench.log(1).contains { $0.hasPrefix("report") })
  }

  @Test("a reporter gets names, times and details of a call")
  func reporter() async {
    let hub = InProcessSignalHub()
    let signal = hub.makeClient()
    await withCheckedContinuation { continuation in signal.login(uid: 1) { _ in continuation.resume() } }
    let (notes, api) = (Notes(), CallAPI(rtc: FakeCallRTC()))
    api.initialize(userID: 1, signalClient: signal, reporter: notes)
    api.prepareForCall(PrepareConfiguration())
    api.call(remoteUserID: 2, callType: .audio)
    await withCheckedContinuation { continuation in api.deinitialize { _ in continuation.resume() } }
    let reports = notes.all
    #expect(reports.filter { $0.kind == .api }.map(\.name) == ["initialize", "prepareForCall", "call", "deinitialize"])
    let call = reports.first { $0.name == "call" }
    #expect(call?.details == ["remoteUserId": 2, "callType": 1])
    let calling = reports.first { $0.name == "stateChange" && $0.details["state"] == 2 }
    #expect(calling?.kind == .custom && calling?.details["stateReason"] == 31 && calling?.details["userId"] == 1)
    #expect(calling?.details["callId"]?.text?.isEmpty == false && calling?.details["roomId"]?.text?.isEmpty == false)
    let event = reports.first { $0.name == "eventChange" && $0.details["event"] == 141 }
    #expect(event?.details["state"] == 2)
    #expect(reports.allSatisfy { $0.timestamp > 0 })
  }

  @Test("with no room prepared every call gets a fresh one, so that an earlier callee cannot come to a later call")
  func freshRooms() async {
    let hub = InProcessSignalHub()
    let (caller, callee) = (await CallUser(1, hub), await CallUser(2, hub))
    caller.api.prepareForCall(PrepareConfiguration())
    var rooms: [String] = []
    for _ in 0..<3 {
      caller.api.call(remoteUserID: 2)
      #expect(await callee.hears("E142"))
      // The message may be there before its sender has joined.
      #expect(
        await eventually {
          caller.rtc.log.last?.hasPrefix("join ") == true && callee.rtc.log.last == caller.rtc.log.last
        })
      rooms.append(String(caller.rtc.log.last?.dropFirst("join ".count) ?? ""))
      caller.api.cancelCall()
      #expect(await callee.hears("E110"))
      callee.clear()
    }
    #expect(Set(rooms).count == 3)
    // 122 random bits each (RFC 9562 section 5.4).
    #expect(rooms.allSatisfy { $0.count == 36 && $0.dropFirst(14).first == "4" })
  }

  private final class Server: CallReporting {
    private let taken = Mutex<[ReportRequest]>([])
    var all: [ReportRequest] { taken.withLock { $0 } }
    func report(_ report: ReportRequest, completion: @escaping @Sendable (SignalError?) -> Void) {
      taken.withLock { $0.append(report) }
    }
  }

  @Test("the server hears of each call that connects, once when it does and once when it has ended")
  func serverReporter() {
    let server = Server()
    let reporter = ServerCallReporter(server) { room in room == "R1" ? ["freezeCount": 2] : [:] }
    var bench = CallBench.prepared()
    bench[1].machine.isReporting = true
    bench.call(1, 2)
    bench.run(milliseconds: 100)
    bench.accept(2, 1)
    bench.run(milliseconds: 300)
    bench.hangUp(1, 2)
    bench.run(milliseconds: 100)
    // Never connects.
    bench.call(1, 2)
    bench.run(milliseconds: 50)
    bench.deinitialize(1)
    for report in bench[1].reports { reporter.report(report) }
    #expect(server.all.map(\.kind) == ["connected", "ended"])
    #expect(server.all.map(\.callID) == ["call-1", "call-1"])
    #expect(server.all.first?.costs["firstFramePerceived"] == 20 && server.all.first?.costs["acceptCall"] == 110)
    #expect(server.all.first?.quality == [:] && server.all.last?.quality == ["freezeCount": 2])
    #expect(server.all.last?.costs["remoteUserRecvCall"] == 10)
    #expect(reporter.openCallCount == 0)
  }

  @Test("of a call that has given way to the other side's nothing is kept, nor told with that one")
  func serverReporterInGlare() {
    let server = Server()
    let reporter = ServerCallReporter(server)
    var bench = CallBench.prepared()
    bench[2].machine.isReporting = true
    bench.call(2, 1)
    bench.run(milliseconds: 9)
    bench.call(1, 2)
    bench.run(milliseconds: 500)
    #expect(bench[2].reports.contains { $0.details[CallInfoKey.callID] == "call-1" })
    bench.hangUp(2, 1)
    for report in bench[2].reports { reporter.report(report) }
    #expect(server.all.map(\.callID) == ["call-2", "call-2"])
    // What the own call had cost.
    #expect(server.all.allSatisfy { $0.costs["remoteUserRecvCall"] == nil })
    #expect(reporter.openCallCount == 0)
  }
}
