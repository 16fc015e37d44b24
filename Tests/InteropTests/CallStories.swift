import CallAPI

/// Calls as user 5 lives through them, and the states it is told.
enum CallStories {
  static var all: [(name: String, steps: [CallStep], states: [String])] {
    [
      (
        "calls, is accepted, sees, hangs up",
        [
          .prepare("R5"), .call(3, id: "a"), .sent(1), .channel("R5", .joined), .channel("R5", .userJoined(3)),
          .message(.accept, from: 3, id: "a"), .channel("R5", .remoteVideo(3)), .hangUp(3, "enough"),
          .channel("R5", .left),
        ],
        [
          "prepared.none", "calling.localVideoCall", "connecting.remoteAccepted", "connected.recvRemoteFirstFrame",
          "prepared.localHangup",
        ]
      ),
      (
        "is called, sees, accepts, a server hangs up under another id",
        [
          .prepare("R5"), .message(.videoCall, from: 3, id: "a", room: "R3"), .channel("R3", .joined),
          .channel("R3", .remoteVideo(3)), .accept(3), .message(.hangup, from: 3, id: "old"),
          .message(.hangup, from: 3, id: "zzz", isServers: true),
        ],
        [
          "prepared.none", "calling.remoteVideoCall", "connecting.localAccepted", "connected.localAccepted",
          "prepared.remoteHangup",
        ]
      ),
      (
        "the other side is gone for too long",
        [
          .prepare("", absence: 500), .call(3, id: "a"), .message(.accept, from: 3, id: "a"),
          .channel("fresh", .userJoined(3)), .channel("fresh", .remoteVideo(3)),
          .channel("fresh", .userLeft(3, reason: 1)),
          .timer,
        ],
        [
          "prepared.none", "calling.localVideoCall", "connecting.remoteAccepted", "connected.recvRemoteFirstFrame",
          "prepared.remoteHangup",
        ]
      ),
      (
        "is told on both ways that the other side is missing, and hangs up at once if it may",
        [
          .prepare("R5"), .call(3, id: "a"), .message(.accept, from: 3, id: "a"), .channel("R5", .userJoined(3)),
          .channel("R5", .remoteVideo(3)), .message(.hangup, from: 3, id: "a", isServers: true, reason: "lost"),
          .channel("R5", .failed(code: 123, message: nil)), .hangUp(3),
          .prepare("R5", absence: 500), .call(3, id: "b"), .message(.accept, from: 3, id: "b"),
          .message(.hangup, from: 3, id: "b", isServers: true, reason: "neverConnected"),
        ],
        [
          "prepared.none", "calling.localVideoCall", "connecting.remoteAccepted", "connected.recvRemoteFirstFrame",
          "prepared.localHangup", "prepared.none", "calling.localVideoCall", "connecting.remoteAccepted",
          "prepared.remoteHangup",
        ]
      ),
      (
        "rejects", [.prepare("R5"), .message(.audioCall, from: 3, id: "a", room: "R3"), .reject(3, "no")],
        ["prepared.none", "calling.remoteAudioCall", "prepared.localRejected"]
      ),
      (
        "is rejected", [.prepare("R5"), .call(3, .audio, id: "a"), .message(.reject, from: 3, id: "a")],
        ["prepared.none", "calling.localAudioCall", "prepared.remoteRejected"]
      ),
      (
        "calls a busy user",
        [.prepare("R5"), .call(3, id: "a"), .message(.reject, from: 3, id: "a", internally: true)],
        ["prepared.none", "calling.localVideoCall", "prepared.remoteCallBusy"]
      ),
      (
        "is busy: answers another's call and stays",
        [.prepare("R5"), .call(3, id: "a"), .message(.videoCall, from: 9, id: "b", room: "R9")],
        ["prepared.none", "calling.localVideoCall"]
      ),
      (
        "is busy: strangers who confirm nothing are refused in silence in the end",
        [.prepare("R5"), .call(3, id: "a")]
          + (0..<60 as Range<UInt>).map { .message(.videoCall, from: 100 + $0 % 7, id: "b\($0)", room: "R9") }
          + [.hangUp(3)],
        ["prepared.none", "calling.localVideoCall", "prepared.localHangup"]
      ),
      (
        "cancels; a second time there is nothing to cancel",
        [.prepare("R5"), .call(3, id: "a"), .cancel, .cancel],
        ["prepared.none", "calling.localVideoCall", "prepared.localCancelled"]
      ),
      (
        "waits in vain", [.prepare("R5"), .call(3, id: "a"), .timer, .timer],
        ["prepared.none", "calling.localVideoCall", "prepared.callingTimeout"]
      ),
      (
        "the caller waits in vain",
        [
          .prepare("R5"), .message(.videoCall, from: 3, id: "a", room: "R3"),
          .message(.cancelCall, from: 3, id: "a", internally: true),
        ], ["prepared.none", "calling.remoteVideoCall", "prepared.remoteCallingTimeout"]
      ),
      (
        "cancels and accepts of another call or of others do not count",
        [
          .prepare("R5"), .call(3, id: "a"), .message(.cancelCall, from: 3, id: "b"),
          .message(.accept, from: 9, id: "a"), .message(.accept, from: 3, id: "b"), .message(.hangup, from: 9, id: "a"),
        ], ["prepared.none", "calling.localVideoCall"]
      ),
      (
        "glare: the smaller uid's call wins",
        [.prepare("R5"), .call(3, id: "b"), .message(.videoCall, from: 3, id: "a", room: "R3")],
        ["prepared.none", "calling.localVideoCall", "connecting.localAccepted"]
      ),
      (
        "glare: the own call wins",
        [.prepare("R5"), .call(9, id: "b"), .message(.videoCall, from: 9, id: "a", room: "R9")],
        ["prepared.none", "calling.localVideoCall"]
      ),
      (
        "glare: who called for sound only is asked before its camera is shown",
        [.prepare("R5"), .call(3, .audio, id: "b"), .message(.videoCall, from: 3, id: "a", room: "R3")],
        ["prepared.none", "calling.localAudioCall", "calling.remoteVideoCall"]
      ),
      (
        "the caller calls again while it rings",
        [
          .prepare("R5"), .message(.videoCall, from: 3, id: "a", room: "R3"),
          .message(.audioCall, from: 3, id: "b", room: "R4"),
        ], ["prepared.none", "calling.remoteVideoCall", "prepared.cancelByCallerRecall", "calling.remoteAudioCall"]
      ),
      (
        "the caller calls again and again: the fifth call comes too soon, the next one does not",
        [.prepare("R5", encryption: .preferred)]
          + (1...6).map {
            .message(.videoCall, from: 3, id: "a\($0)", room: "R3", publicKey: CallTwinKeys.peerPublicKey)
          },
        ["prepared.none"]
          + [[String]](
            repeating: ["calling.remoteVideoCall", "prepared.cancelByCallerRecall"], count: 4
          ).flatMap(\.self) + ["calling.remoteVideoCall"]
      ),
      (
        "the application joins the channel itself: of a call that rings, of one that is connected, and of its own",
        [
          .prepare("R5"), .message(.videoCall, from: 3, id: "a", room: "R3"), .channel("R3", .taken),
          .message(.videoCall, from: 3, id: "b", room: "R3"), .accept(3), .channel("R3", .remoteVideo(3)),
          .channel("R3", .taken), .call(3, id: "c"), .channel("R5", .taken),
        ],
        [
          "prepared.none", "calling.remoteVideoCall", "prepared.localRejected", "calling.remoteVideoCall",
          "connecting.localAccepted", "connected.recvRemoteFirstFrame", "prepared.localHangup",
          "calling.localVideoCall",
        ]
      ),
      (
        "a server hangs up an own call that is over, then the one that rings",
        [
          .prepare("R5"), .call(3, id: "old"), .cancel, .message(.videoCall, from: 3, id: "new", room: "R3"),
          .message(.hangup, from: 3, id: "old", isServers: true), .accept(3),
          .message(.hangup, from: 3, id: "old", isServers: true),
          .message(.hangup, from: 3, id: "new", isServers: true),
        ],
        [
          "prepared.none", "calling.localVideoCall", "prepared.localCancelled", "calling.remoteVideoCall",
          "connecting.localAccepted", "prepared.remoteHangup",
        ]
      ),
    ]
  }
}
