import CallAPI
import Foundation
import LinuxIO
import MediaBase

/// Leads the participants through the story: a live show, a private call beside it, and back on stage.
struct DemoStory {
  let cast: DemoCast
  let narrator: DemoNarrator
  let directory: String
  var record: DemoRecord

  /// How long everything takes, about, in seconds.
  static let plannedSeconds = 35.5

  /// Plays everything, whatever happens; the record holds what came of it.
  mutating func play() throws(CommandError) {
    try enter()
    try show()
    try call(
      1, isAudioOnly: false, title: "The first call: with pictures",
      text: "Host and caller see each other. The viewers stay in the show and receive nothing of the host.")
    try call(
      2, isAudioOnly: true, title: "The second call: sound only", text: "Host and caller hear each other; no pictures.")
    try attempts()
    try leave()
  }

  private mutating func enter() throws(CommandError) {
    try phase("entering", "Everybody comes", "Signalling and calls are made ready.", planned: 1) {
      (story) throws(CommandError) in
      for role in DemoRole.allCases { try story.cast.ask(role, .logIn) }
      for role in DemoRole.allCases { try story.prepare(role) }
    }
  }

  private mutating func show() throws(CommandError) {
    let channel = DemoRecord.liveChannel
    try phase("show", "The show", "The host is on stage; two viewers and the caller watch.", planned: 4.5) {
      (story) throws(CommandError) in
      for role in DemoRole.allCases {
        let done = try story.cast.ask(role, .joinLive) {
          $0.channel = channel
          $0.isHost = role == .host
        }
        story.record.joined[role] = done.begin
      }
      for role in DemoRole.audience {
        try story.cast.wait(for: role, "to see the host") { $0.kind == .picturesBegin && $0.uid == DemoRole.host.uid }
        try story.cast.wait(for: role, "to hear the host") { $0.kind == .soundBegins && $0.uid == DemoRole.host.uid }
      }
      story.hold(4)
    }
  }

  /// One call that is answered, and the host's return to the stage.
  private mutating func call(_ number: Int, isAudioOnly: Bool, title: String, text: String) throws(CommandError) {
    let start = cast.inbox.end
    try phase("call-\(number)", title, text, planned: isAudioOnly ? 5.5 : 6.5) { (story) throws(CommandError) in
      let room = try story.prepare(.caller)
      let called = try story.ring(isAudioOnly: isAudioOnly)
      story.hold(0.8)
      let unpublished = try story.cast.ask(.host, .unpublish)
      var call = DemoRecord.Call(
        room: room, isAudioOnly: isAudioOnly, called: called.begin ?? called.time, unpublished: unpublished.time)
      let accepted = try story.cast.ask(.host, .accept) { $0.peer = DemoRole.caller.uid }
      call.accepted = accepted.begin ?? accepted.time
      for role in [DemoRole.host, .caller] {
        try story.cast.wait(for: role, "to be connected", since: start) { $0.kind == .connected }
      }
      story.record.calls.append(call)
      story.hold(isAudioOnly ? 4 : 5)
    }
    try phase("stage-\(number)", "Back on stage", "The caller hangs up; all see the host again.", planned: 3) {
      (story) throws(CommandError) in
      let hungUp = try story.cast.ask(.caller, .hangUp) { $0.peer = DemoRole.host.uid }
      for role in [DemoRole.host, .caller] { try story.awaitEnd(role, since: start) }
      let again = story.cast.inbox.end
      let published = try story.cast.ask(.host, .publish)
      for role in DemoRole.audience {
        try story.cast.wait(for: role, "to see the host again", since: again) {
          $0.kind == .picturesBegin && $0.uid == DemoRole.host.uid
        }
      }
      let last = story.record.calls.count - 1
      story.record.calls[last].hungUp = hungUp.begin ?? hungUp.time
      story.record.calls[last].published = published.begin ?? published.time
      story.hold(2.5)
      story.record.calls[last].reports = start..<story.cast.inbox.end
    }
  }

  private mutating func leave() throws(CommandError) {
    try phase("leaving", "Everybody leaves", "Channels, calls and signalling end; nothing is left.", planned: 8) {
      (story) throws(CommandError) in
      for role in DemoRole.allCases {
        try story.cast.ask(role, .writeLog) { $0.path = DemoCommand.log(of: role, in: story.directory) }
        try story.cast.ask(role, .leaveLive)
      }
      for role in DemoRole.allCases { try story.cast.ask(role, .quit) }
      for role in DemoRole.allCases {
        try story.cast.wait(for: role, "to free everything", seconds: 20) { $0.kind == .freed }
      }
      story.record.exitStatuses = story.cast.endAll()
    }
  }
}

extension DemoStory {
  /// Makes a participant ready for calls with a fresh room: its name.
  @discardableResult func prepare(_ role: DemoRole, timeoutMilliseconds: Int = 15_000) throws(CommandError) -> String {
    let room = "room-\(UUID().uuidString.prefix(8).lowercased())"
    try cast.ask(role, .prepare) {
      $0.channel = room
      $0.timeoutMilliseconds = timeoutMilliseconds
    }
    return room
  }

  /// The caller calls, and it rings at the host.
  func ring(isAudioOnly: Bool = false) throws(CommandError) -> ActorReport {
    let start = cast.inbox.end
    let called = try cast.ask(.caller, .call) {
      $0.peer = DemoRole.host.uid
      $0.isAudioOnly = isAudioOnly
    }
    try cast.wait(for: .host, "to be called", since: start) {
      $0.kind == .state && $0.code == CallState.calling.rawValue
    }
    return called
  }

  /// Waits until a participant is free for calls again.
  func awaitEnd(_ role: DemoRole, since start: Int) throws(CommandError) {
    try cast.wait(for: role, "to be out of the call", since: start) {
      $0.kind == .state && $0.code == CallState.prepared.rawValue && $0.reason != CallStateReason.none.rawValue
    }
  }

  func hold(_ seconds: Double) { MonotonicClock.sleep(for: .seconds(seconds)) }

  /// Plays one phase and then takes everybody's pictures.
  mutating func phase(
    _ slug: String, _ title: String, _ text: String, planned seconds: Double,
    _ body: (inout DemoStory) throws(CommandError) -> Void
  ) throws(CommandError) {
    narrator.phase(title, planned: seconds)
    let begin = MonotonicClock.now().nanoseconds
    try body(&self)
    var phase = DemoRecord.Phase(slug: slug, title: title, text: text, begin: begin, end: 0)
    if record.exitStatuses.isEmpty { phase.pictures = try pictures(slug) }
    phase.end = MonotonicClock.now().nanoseconds
    record.phases.append(phase)
  }

  private func pictures(_ slug: String) throws(CommandError) -> [DemoRecord.Picture] {
    var pictures: [DemoRecord.Picture] = []
    for role in DemoRole.allCases {
      let report = try cast.ask(role, .snapshot) { $0.path = "\(directory)/pictures/\(slug)-\(role.slug)" }
      for snapshot in report.snapshots ?? [] {
        guard let other = DemoRole(rawValue: snapshot.uid) else { continue }
        pictures.append(
          DemoRecord.Picture(
            role: role, of: other, channel: snapshot.channel,
            path: String(snapshot.path.dropFirst(directory.count + 1))))
      }
    }
    return pictures
  }
}
