/// Rules about who receives what when.
extension DemoJudge {
  func mediaOfCall(_ call: DemoRecord.Call, _ name: String) -> Verdict {
    let range = call.accepted...max(call.accepted, call.hungUp)
    let seconds = Double(range.upperBound - range.lowerBound) / 1e9
    let counts = [(DemoRole.host, DemoRole.caller), (.caller, .host)].map { role, other -> (Int, Int) in
      guard let log = record.reception(role, of: other, in: call.room) else { return (0, 0) }
      return (log.pictures.count { range.contains($0) }, log.sounds.count { range.contains($0) })
    }
    let isKept = counts.allSatisfy { pictures, sounds in
      sounds >= 50 && (call.isAudioOnly ? pictures == 0 : Double(pictures) >= seconds * 10)
    }
    return Verdict(
      rule: call.isAudioOnly
        ? "In the \(name) host and caller hear each other, without pictures"
        : "In the \(name) host and caller see and hear each other",
      isKept: isKept,
      detail: zip(["host", "caller"], counts)
        .map { "\($0) received \($1.0) pictures, \($1.1 * 10) ms of sound" }.joined(separator: "; "))
  }

  func nothingOfTheHost(_ call: DemoRecord.Call, _ name: String) -> Verdict {
    let during = call.unpublished..<max(call.unpublished, call.published)
    let afterwards = min(during.lowerBound + Self.underWay, during.upperBound)..<during.upperBound
    let found = DemoRole.audience.map { role -> (Int, Int, Int) in
      guard let log = record.reception(role, of: .host, in: DemoRecord.liveChannel) else { return (0, 0, 0) }
      return (
        log.captures.count { during.contains($0) }, log.pictures.count { afterwards.contains($0) },
        log.sounds.count { afterwards.contains($0) }
      )
    }
    return Verdict(
      rule: "During the \(name) the show carries nothing of the host",
      isKept: found.allSatisfy { $0 == (0, 0, 0) },
      detail: zip(DemoRole.audience, found).map { role, found in
        "\(role.name): \(found.0) pictures captured, \(found.1) received, \(found.2) pieces of sound"
      }.joined(separator: "; "))
  }

  func seenAgain(_ call: DemoRecord.Call, _ name: String) -> Verdict {
    let times = DemoRole.audience.map { role in
      record.reception(role, of: .host, in: DemoRecord.liveChannel)
        .flatMap { log in log.pictures.first { $0 >= call.published } }
    }
    return Verdict(
      rule: "After the \(name) all see the host again", isKept: call.published > 0 && times.allSatisfy { $0 != nil },
      detail: zip(DemoRole.audience, times).map { role, time in
        "\(role.name) " + (time.map { "after \(($0 - call.published) / 1_000_000) ms" } ?? "never")
      }.joined(separator: "; "))
  }

  /// Nobody receives what is not meant for them.
  var nothingLeaks: Verdict {
    let rooms = Set(record.calls.map(\.room) + record.attempts.map(\.room))
    let leaks = record.logs.flatMap { role, records in
      records.filter { log in
        guard log.channel == DemoRecord.liveChannel else {
          return ![DemoRole.host, .caller].contains(role) || !rooms.contains(log.channel)
        }
        return log.uid != DemoRole.host.uid
      }.map { "\(role.name) received \(DemoRole.name(of: $0.uid)) in \($0.channel)" }
    }
    return Verdict(
      rule: "Nobody in the show ever receives the caller, and only the two receive the calls",
      isKept: leaks.isEmpty && record.logs.count == DemoRole.allCases.count,
      detail: leaks.isEmpty ? "nothing else in any log" : leaks.joined(separator: "; "))
  }

  var nobodyLeftTheShow: Verdict {
    guard let leaving = record.phases.first(where: { $0.slug == "leaving" }) else {
      return Verdict(rule: "Nobody leaves the show before its end", isKept: false, detail: "the story broke off")
    }
    let early = record.reports.filter { $0.report.time < leaving.begin && $0.report.channel == DemoRecord.liveChannel }
    let gone = early.count { $0.report.kind == .userLeft }
    let joins = early.count { $0.report.kind == .joined }
    return Verdict(
      rule: "Nobody leaves the show before its end", isKept: gone == 0 && joins == DemoRole.allCases.count,
      detail: "\(joins) joins, \(gone) departures")
  }

  var showGoesOn: Verdict {
    let gaps = DemoRole.audience.map { role -> Int64 in
      guard let phase = record.phases.first(where: { $0.slug == "attempts" }),
        let log = record.reception(role, of: .host, in: DemoRecord.liveChannel)
      else { return .max }
      let times = [phase.begin] + log.pictures.filter { (phase.begin...phase.end).contains($0) } + [phase.end]
      return zip(times.dropFirst(), times).map { $0 - $1 }.max() ?? .max
    }
    return Verdict(
      rule: "The show goes on while calls come to nothing", isKept: gaps.allSatisfy { $0 < Self.longestGap },
      detail: "longest gap between pictures: "
        + gaps.map { $0 == .max ? "all" : "\($0 / 1_000_000) ms" }.joined(separator: ", "))
  }

  var everythingFreed: Verdict {
    let freed = record.reports.compactMap { entry -> (String, Bool)? in
      guard entry.report.kind == .freed, let before = entry.report.usageBefore, let after = entry.report.usageAfter
      else { return nil }
      let isFree = after.threads <= before.threads && after.descriptors <= before.descriptors
      return ("\(entry.role.name) \(after.threads)/\(after.descriptors)", isFree)
    }
    let hasEnded = record.exitStatuses.count == 5 && record.exitStatuses.values.allSatisfy { $0 == 0 }
    return Verdict(
      rule: "At the end no thread and no descriptor is left, and every process ends well",
      isKept: freed.count == DemoRole.allCases.count && freed.allSatisfy(\.1) && hasEnded,
      detail: "threads/descriptors: " + freed.map(\.0).joined(separator: ", ") + "; exit statuses "
        + record.exitStatuses.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
  }

  var inTime: Verdict {
    let seconds = Double(record.end - record.begin) / 1e9
    return Verdict(
      rule: "The whole story takes less than a minute", isKept: seconds < 60,
      detail: "\(Terminal.fixed(seconds, decimals: 1)) s")
  }
}
