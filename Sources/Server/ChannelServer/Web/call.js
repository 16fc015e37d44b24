// The state machine of 1v1 calls, without clock, network or media: every method takes what has happened and returns
// what has to be done about it, in order. The same machine as Sources/Calls/CallAPI/CallStateMachine.swift; tests hold
// the two against each other.

import {
  CallAction, busyReason, channelReason, encryptionReason, infoOf, isCall, isPossibleRoom, makeMessage,
} from './callmessage.js'
import { CallAllowance } from './callallowance.js'
import { EndedCalls } from './endedcalls.js'

/** Where a call stands. */
export const CallState = Object.freeze({ idle: 0, prepared: 1, calling: 2, connecting: 3, connected: 4, failed: 10 })

/** Why a call has the state it has. */
export const CallStateReason = Object.freeze({
  none: 0, joinRTCFailed: 1, messageFailed: 4, localRejected: 5, remoteRejected: 6, remoteAccepted: 7,
  localAccepted: 8, localHangup: 9, remoteHangup: 10, localCancelled: 11, remoteCancelled: 12,
  recvRemoteFirstFrame: 13, callingTimeout: 14, cancelByCallerRecall: 15, remoteCallBusy: 17,
  remoteCallingTimeout: 18, localVideoCall: 30, localAudioCall: 31, remoteVideoCall: 32, remoteAudioCall: 33,
})

/** What happens in the course of a call. */
export const CallEvent = Object.freeze({
  none: 0, deinitialize: 1, callingTimeout: 3, remoteCallingTimeout: 4, joinRTCSuccessed: 5, stateMismatch: 9,
  joinRTCStart: 10, remoteUserRecvCall: 99, localRejected: 100, remoteRejected: 101, remoteAccepted: 103,
  localAccepted: 104, localHangup: 105, remoteHangup: 106, remoteJoined: 107, remoteLeft: 108, localCancelled: 109,
  remoteCancelled: 110, localJoined: 111, localLeft: 112, recvRemoteFirstFrame: 113, remoteCallBusy: 117,
  captureFirstLocalVideoFrame: 119, publishFirstLocalVideoFrame: 120, publishFirstLocalAudioFrame: 130,
  localVideoCall: 140, localAudioCall: 141, remoteVideoCall: 142, remoteAudioCall: 143,
})

/** What kind of trouble a listener is told of. */
export const CallErrorEvent = Object.freeze({
  normalError: 0, rtcOccurError: 100, startCaptureFail: 110, sendMessageFail: 210,
})

/** Whose code an error's code is. */
export const CallErrorCodeType = Object.freeze({ normal: 0, rtc: 100, message: 110 })

/** How much a listener's `callDebugInfo` matters. */
export const CallLogLevel = Object.freeze({ normal: 0, warning: 1, error: 2 })

/** Whether calls are encrypted between the ends: not, if the other side can, or else there is no call. */
export const CallEncryptionPolicy = Object.freeze({ off: 'off', preferred: 'preferred', required: 'required' })

/** How a call's channel is encrypted between the ends, if not with a key: an object with `media`. */
export const CallMediaEncryption = Object.freeze({ none: 'none', awaited: 'awaited' })

/** What a call carries. */
export const CallType = Object.freeze({ video: 0, audio: 1 })

/**
 * So many messages may be unanswered for one more call to ring: callers who never confirm anything must not use up what the
 * signalling lets wait.
 */
const unansweredLimit = 48
/** Most refusals of calls that have not rung that may be unanswered, and how long one is worth delivering, in milliseconds. */
const refusalLimit = 16, refusalLife = 5_000
const defaultTimeToLive = 15_000
// The code by which a server says that it has put the other side out of the channel, or this one.
const bannedByServer = 123

const State = CallState, Reason = CallStateReason, Event = CallEvent
const Policy = CallEncryptionPolicy, Encryption = CallMediaEncryption
const problem = (message, code = -1) => ({ code, message, isUndelivered: false })

/** What becomes of an incoming call: it rings, after the present one of the same user or not, meets one's own, and so on. */
const Fate = Object.freeze({
  isNone: 'isNone', isOver: 'isOver', isIgnored: 'isIgnored', isBusy: 'isBusy', yields: 'yields', meets: 'meets',
  rings: 'rings', ringsAgain: 'ringsAgain',
})

const newSession = (values = {}) => ({
  type: CallType.video, callID: '', room: null, peer: null, isLocalAccepted: false, isRemoteAccepted: false,
  hasFirstFrame: false, isCaller: false, isUnheard: false, isPeerPresent: false, isCutOff: false, isAbsenceTimed: false,
  removalSource: null, hasBeenCrossed: false,
  startTime: null,
  connectedTime: null, costs: {}, keyPair: null, encryption: CallMediaEncryption.none, authenticationText: null, ...values,
})

/**
 * Times are `{ monotonic, wallMilliseconds }`, both in milliseconds. `completion` comes back in the effect `complete`.
 *
 * Effects are objects with a `kind`: `send` (message, to, id, timeToLive in milliseconds or null), `encrypt` (room, encryption: none, awaited, or a key), `join` (room, token, isVideo, peer, publishes), `publish`
 * (room, isVideo), `leave` (room), `reveal` (room, peer), `renewToken` (room, token), `startTimer` (milliseconds),
 * `stopTimer`, `complete` (id, error), and for listeners `state` (state, reason, info), `event` (event, text), `error` (event, type, code, message),
 * `connected` (room, callUserID, timestamp), `disconnected` (room, hangupUserID, timestamp, duration), `warning` (text).
 */
export class CallStateMachine {
  #configuration = null
  #session = newSession()
  #joinedRoom = null
  /** How that channel is encrypted, as far as effects have said. */
  #joinedEncryption = Encryption.none
  #effects = []
  #sends = new Map()
  #sendCount = 0
  #state = State.idle
  #endedCalls = new EndedCalls()
  #ringing = CallAllowance.ringing()
  #refusals = CallAllowance.refusals()

  constructor(userID) {
    this.userID = userID
  }

  get state() { return this.#state }
  get callID() { return this.#session.callID }
  /** The channel of the call, once it has been joined. */
  get room() { return this.#joinedRoom }
  /** The other side of the call. */
  get peer() { return this.#session.peer }
  get type() { return this.#session.type }
  /** Who is asked for a room's token; undefined if nobody is. */
  get tokenProvider() { return this.#configuration?.tokenProvider }
  get isCaller() { return this.#session.isCaller }
  /** What both users can compare, if the call is encrypted between the ends. */
  get authenticationText() { return this.#session.authenticationText }

  /** Whether a call would go out now and wants this side's keys. */
  wantsKeysToCall(peer, freshRoomID = '') {
    return this.#policy !== Policy.off && !this.#problemWithCalling(peer, freshRoomID)
  }

  /**
   * What the keys of a call follow from, besides public keys, if `message` leads to some: `isCaller`, `userID`, `peer`, `callID`,
   * `room`, and for an outgoing call the `keyPair` whose public key the other side has. Null if it leads to none: anybody can
   * send messages, and making keys is work. `now` is when the message has come, and will be taken.
   */
  contextOfKeys(message, now) {
    if (this.#policy === Policy.off || !message.e2ePublicKey) return null
    const { userID } = this
    if (isCall(message)) {
      const { fromUserId: peer, callId: callID, fromRoomId: room } = message
      const fate = this.#fate(message)
      const mayRing = [Fate.rings, Fate.ringsAgain].includes(fate) && this.#hasRoomToRing(now)
        && this.#ringing.has(peer, now.monotonic)
      const isTaken = mayRing || fate === Fate.meets
      return isTaken ? { keyPair: null, isCaller: false, userID, peer, callID, room } : null
    }
    const { encryption, keyPair, isCaller, peer, callID, room } = this.#session
    const isAwaited = message.message_action === CallAction.accept && this.#state === State.calling
      && encryption === Encryption.awaited && this.#isOfThisCall(message)
    return isAwaited ? { keyPair, isCaller, userID, peer, callID, room } : null
  }

  // What the application asks for.

  /**
   * `configuration`: roomID, rtcToken, tokenProvider, callTimeoutMilliseconds, userExtension, isFirstFrameWaitingDisabled,
   * peerAbsenceTimeoutMilliseconds, endToEndEncryption.
   */
  prepare(configuration, completion, now) {
    return this.#run(() => {
      if (this.#isUnderWay) return this.#complete(completion, problem('currently busy'))
      this.#cleanUp()
      this.#configuration = configuration
      this.#setState(State.prepared, Reason.none, {}, now)
      this.#complete(completion)
    })
  }

  /**
   * Calls a user. `callID` is unique; `freshRoomID` is the room if none has been prepared, and cannot be guessed; `keyPair`
   * are this side's keys, if any could be made.
   */
  call(peer, type, callExtension, callID, completion, now, freshRoomID = '', keyPair = null) {
    return this.#run(() => {
      const error = this.#problemWithCalling(peer, freshRoomID)
      if (error) return this.#complete(completion, error)
      const configuration = this.#configuration
      const room = configuration.roomID || freshRoomID
      const isVideo = type === CallType.video
      this.#session = newSession(
        { type, callID, room, peer, isLocalAccepted: true, isCaller: true, startTime: now.monotonic })
      if (!this.#offerEncryption(keyPair)) {
        this.#session = newSession({ type })
        return this.#complete(completion, problem('call fail! no key could be made'))
      }
      const message = this.#message(isVideo ? CallAction.videoCall : CallAction.audioCall, {
        remoteUserId: peer, fromRoomId: room, e2ePublicKey: this.#session.keyPair?.publicKey,
        fromUserExtension: { ...configuration.userExtension, ...callExtension },
      })
      const sent = this.#send(message, peer, { completion, prefix: 'call fail: ', callID }, now)
      this.#setState(State.calling, isVideo ? Reason.localVideoCall : Reason.localAudioCall, infoOf(sent), now)
      this.#tell(isVideo ? Event.localVideoCall : Event.localAudioCall)
      this.#join(room)
    })
  }

  #problemWithCalling(peer, freshRoomID) {
    if (!this.#configuration || !(this.#configuration.roomID || freshRoomID)) {
      return problem('call fail! config or roomId is empty')
    }
    const isReady = this.#state === State.prepared && peer !== this.userID && peer !== 0
    return isReady ? null : problem('call fail! state busy or not initialized')
  }

  /** Gives up a call. */
  cancelCall(completion, now) {
    return this.#run(() => {
      const { peer } = this.#session
      if (!this.#configuration || peer === null) {
        return this.#complete(completion, problem('cancelCall fail! callingUserId is empty'))
      }
      this.#send(this.#message(CallAction.cancelCall), peer, { completion, prefix: 'cancelCall fail: ' }, now)
      this.#setState(State.prepared, Reason.localCancelled, {}, now)
      this.#tell(Event.localCancelled)
    })
  }

  /** Accepts the call that rings. */
  accept(peer, completion, now) {
    return this.#run(() => {
      const { room, peer: other, isCaller } = this.#session
      if (room === null || other !== peer) {
        return this.#complete(completion, problem('accept fail! current userId or roomId is empty'))
      }
      if (this.#state !== State.calling || isCaller) {
        this.#complete(completion, problem(`accept fail! current state[${this.#state}] is not calling`))
        return this.#tell(Event.stateMismatch)
      }
      this.#acceptSession(peer, room, completion, now)
    })
  }

  /** Rejects the call that rings. */
  reject(peer, reason, completion, now) {
    return this.#run(() => this.#end(CallAction.reject, peer, reason, completion, now))
  }

  /** Ends a call. */
  hangUp(peer, reason, completion, now) {
    return this.#run(() => this.#end(CallAction.hangup, peer, reason, completion, now))
  }

  /** Replaces the token for rooms, also that of a call under way. */
  renewToken(token) {
    return this.#run(() => {
      if (!this.#configuration) return this.#warn('renewToken before prepareForCall')
      this.#configuration = { ...this.#configuration, rtcToken: token }
      if (this.#joinedRoom !== null) this.#effects.push({ kind: 'renewToken', room: this.#joinedRoom, token })
    })
  }

  /** Ends everything; a call under way is cancelled or hung up. Nothing happens after it until `prepare`. */
  deinitialize(completion, now) {
    return this.#run(() => {
      const { peer } = this.#session
      if (this.#state === State.calling) {
        if (peer !== null) this.#send(this.#message(CallAction.cancelCall), peer, {}, now)
        this.#setState(State.prepared, Reason.localCancelled, {}, now)
        this.#tell(Event.localCancelled)
      } else if (this.#isUnderWay && peer !== null) {
        this.#send(this.#message(CallAction.hangup), peer, {}, now)
      }
      this.#setState(State.idle, Reason.none, {}, now)
      this.#configuration = null
      this.#tell(Event.deinitialize)
      this.#complete(completion)
    })
  }

  // What has become of effects.

  /** A message has been handed over (`error` null), or not; surely not if the error `isUndelivered`. */
  sendFinished(id, error, now) {
    return this.#run(() => {
      const pending = this.#sends.get(id)
      if (!pending) return
      this.#sends.delete(id)
      this.#complete(pending.completion, error)
      if (error && pending.prefix) {
        this.#fail(CallErrorEvent.sendMessageFail, CallErrorCodeType.message, error.code, pending.prefix + error.message)
      }
      // Not when that call is over already.
      if (pending.callID === undefined || pending.callID !== this.#session.callID) return
      if (error) {
        this.#session.isUnheard = error.isUndelivered === true
      } else {
        this.#noteCost('remoteUserRecvCall', now)
        this.#tell(Event.remoteUserRecvCall)
      }
    })
  }

  /** Nobody waits any longer. */
  timerFired(now) {
    return this.#run(() => {
      if (this.#session.isAbsenceTimed) return this.#endForAbsence(now)
      if (this.#state !== State.calling && this.#state !== State.connecting) return
      const { peer } = this.#session
      const message = this.#message(CallAction.cancelCall, { cancelCallByInternal: 1 })
      if (peer !== null) this.#send(message, peer, { prefix: 'cancelCall fail: ' }, now)
      this.#setState(State.prepared, Reason.callingTimeout, {}, now)
      this.#tell(Event.callingTimeout)
    })
  }

  /**
   * Takes what has happened in channel `room`: an object with a `kind`: joined, left, cutOff, rejoined, failed (code, message),
   * taken (by the application itself), captureFailed (code, message), userJoined (uid), userLeft (uid, reason), remoteVideo
   * (uid), remoteAudio (uid), localVideoCaptured, localVideoPublished, localAudioPublished. What belongs to an earlier call's
   * channel has no effect.
   */
  channel(room, event, now) {
    return this.#run(() => {
      if (event.kind === 'left') return this.#tell(Event.localLeft)
      if (room === this.#joinedRoom) this.#takeChannelEvent(event, now)
    })
  }

  #takeChannelEvent({ kind, uid, reason, code, message }, now) {
    const session = this.#session
    const { peer, type } = session
    const isVideo = type === CallType.video
    switch (kind) {
      case 'joined':
        session.isCutOff = false
        this.#noteCost('localUserJoinChannel', now)
        this.#tell(Event.joinRTCSuccessed)
        return this.#tell(Event.localJoined)
      case 'cutOff':
      case 'rejoined':
        session.isCutOff = kind === 'cutOff'
        return this.#watchAbsence()
      case 'failed':
        if (code === bannedByServer) return this.#takeRemoval('channel', message, now)
        return this.#fail(CallErrorEvent.rtcOccurError, CallErrorCodeType.rtc, code, message)
      case 'taken': return this.#endForTakenChannel(now)
      case 'captureFailed':
        if (isVideo) this.#fail(CallErrorEvent.startCaptureFail, CallErrorCodeType.rtc, code, message)
        return
      case 'userJoined':
        if (uid !== peer) return
        session.isPeerPresent = true
        session.removalSource = null
        this.#noteCost('remoteUserJoinChannel', now)
        this.#tell(Event.remoteJoined)
        return this.#watchAbsence()
      case 'userLeft':
        if (uid !== peer) return
        session.isPeerPresent = false
        // What was seen of it does not connect a call any more: it may have given up.
        session.hasFirstFrame = false
        this.#tell(Event.remoteLeft, String(reason))
        return this.#watchAbsence()
      case 'remoteVideo': return uid === peer && isVideo ? this.#receiveFirstFrame(now) : undefined
      case 'remoteAudio': return uid === peer && !isVideo ? this.#receiveFirstFrame(now) : undefined
      case 'localVideoCaptured':
        this.#noteCost('localFirstFrameDidCapture', now)
        return this.#tell(Event.captureFirstLocalVideoFrame)
      case 'localVideoPublished':
        this.#noteCost('localFirstFrameDidPublish', now)
        return this.#tell(Event.publishFirstLocalVideoFrame)
      case 'localAudioPublished':
        if (!isVideo) this.#noteCost('localFirstFrameDidPublish', now)
        return this.#tell(Event.publishFirstLocalAudioFrame)
    }
  }

  /** The other side has chosen a channel that the application wants for itself. A channel of one's own does not give way. */
  #endForTakenChannel(now) {
    const { peer, isCaller } = this.#session
    if (peer === null || isCaller) return
    const action = this.#state === State.calling ? CallAction.reject : CallAction.hangup
    this.#end(action, peer, channelReason, undefined, now, channelReason)
  }

  #receiveFirstFrame(now) {
    if (!this.#session.hasFirstFrame) this.#noteCost('recvFirstFrame', now)
    this.#session.hasFirstFrame = true
    this.#session.isPeerPresent = true
    this.#tell(Event.recvRemoteFirstFrame)
    this.#checkConnected(Reason.recvRemoteFirstFrame, now)
  }

  // What the other side says.

  /**
   * Takes a message; `joinsOnCalling`: whether the channel of an incoming call may be joined while it rings; `agreement`:
   * what this side's keys and the message's give (`agreementFor` of callkeys.js), null if they give nothing.
   */
  receive(message, now, joinsOnCalling = () => true, agreement = null) {
    return this.#run(() => {
      if (isCall(message)) this.#receiveCall(message, joinsOnCalling, agreement, now)
      else this.#receiveAnswer(message, agreement, now)
    })
  }

  /** What becomes of an incoming call. */
  #fate({ fromUserId: caller, callId, fromRoomId: room }) {
    if (!isPossibleRoom(room) || caller === this.userID || caller === 0) return Fate.isNone
    if (this.#endedCalls.has(callId, caller)) return Fate.isOver
    const { peer, isCaller, isUnheard, callID, room: present } = this.#session
    if (!this.#isUnderWay) return this.#state === State.prepared ? Fate.rings : Fate.isIgnored
    if (peer !== caller) return Fate.isBusy
    if (this.#state === State.calling && isCaller) {
      return caller < this.userID || isUnheard ? Fate.meets : Fate.yields
    }
    // The call that is under way has come twice.
    if (callId === callID && (callId !== '' || room === present)) return Fate.isIgnored
    return Fate.ringsAgain
  }

  #receiveCall(message, joinsOnCalling, agreement, now) {
    switch (this.#fate(message)) {
      case Fate.isNone: return this.#warn('a call without a possible room, or from this user or nobody')
      case Fate.isBusy:
        this.#rejectUnasked(message, { rejectReason: busyReason, rejectByInternal: 1 }, now)
        return
      case Fate.yields: return this.#ignoreCrossing(message)
      case Fate.meets: return this.#meet(message, joinsOnCalling, agreement, now)
      case Fate.ringsAgain:
        // The same user calls again: what was before is over, at that side at least.
        if (this.#state === State.calling) this.#finish(Reason.cancelByCallerRecall, Event.remoteCancelled, message, now)
        else this.#finish(Reason.remoteHangup, Event.remoteHangup, message, now)
        return this.#ringIfAllowed(message, joinsOnCalling, agreement, now)
      case Fate.rings: return this.#ringIfAllowed(message, joinsOnCalling, agreement, now)
    }
  }

  /**
   * A call that comes too soon after others, or while too much is unanswered, is refused, as if this user were in another:
   * people do not call so often, and an application that answers by itself would send too much.
   */
  #ringIfAllowed(message, joinsOnCalling, agreement, now) {
    const mayRing = this.#hasRoomToRing(now) && this.#ringing.take(message.fromUserId, now.monotonic)
    if (mayRing) this.#ring(message, joinsOnCalling, agreement, now)
    else this.#rejectUnasked(message, { rejectReason: busyReason, rejectByInternal: 1 }, now)
  }

  #ring(message, joinsOnCalling, agreement, now) {
    this.#takeCall(message, now)
    if (!this.#takeOffer(agreement)) {
      this.#session = newSession({ type: this.#session.type })
      this.#rejectForEncryption(message, now)
      // The own call has been given up for this one.
      return this.#state === State.calling ? this.#endUnencrypted(now) : undefined
    }
    const info = infoOf(message)
    const joins = joinsOnCalling(info)
    const isVideo = message.message_action === CallAction.videoCall
    this.#setState(State.calling, isVideo ? Reason.remoteVideoCall : Reason.remoteAudioCall, info, now)
    this.#tell(isVideo ? Event.remoteVideoCall : Event.remoteAudioCall)
    if (joins) this.#join(message.fromRoomId)
  }

  #takeCall(message, now) {
    this.#session = newSession({
      type: message.message_action === CallAction.videoCall ? CallType.video : CallType.audio,
      callID: message.callId, room: message.fromRoomId, peer: message.fromUserId, startTime: now.monotonic,
      // A server, which does not number its messages, calls both sides for each other.
      isRemoteAccepted: message.messageId !== undefined,
    })
  }

  /**
   * Both call each other at once. The call of the smaller uid counts, if the other side has heard of it: that side goes
   * on, the other accepts it, since it wants to talk to the same user anyway. But who has called for sound only is asked
   * before it shows its picture.
   */
  #meet(message, joinsOnCalling, agreement, now) {
    this.#noteSessionEnd()
    // The time of the own call may be almost over.
    this.#startTimer()
    if (this.#session.type !== CallType.video && message.message_action !== CallAction.audioCall) {
      this.#leaveChannel()
      return this.#ring(message, joinsOnCalling, agreement, now)
    }
    this.#takeCall(message, now)
    if (!this.#takeOffer(agreement)) {
      this.#rejectForEncryption(message, now)
      return this.#endUnencrypted(now)
    }
    this.#acceptSession(message.fromUserId, message.fromRoomId, undefined, now)
  }

  /** The own call stands. One of the other side's is as well remembered; whoever calls on and on pushes nothing out. */
  #ignoreCrossing({ callId, fromUserId }) {
    if (this.#session.hasBeenCrossed) return this.#endedCalls.addUnheard(callId, fromUserId)
    this.#session.hasBeenCrossed = true
    this.#endedCalls.add(callId, fromUserId)
  }

  /** A call that has not rung is over; its caller is told if that may be. Returns whether it is. */
  #rejectUnasked({ callId, fromUserId: caller }, fields, now) {
    this.#endedCalls.addUnheard(callId, caller)
    if (!this.#hasRoomToRefuse(caller, now) || !this.#refusals.take(caller, now.monotonic)) return false
    const message = makeMessage(CallAction.reject, {
      fromUserId: this.userID, callId, fromUserExtension: this.#configuration?.userExtension, ...fields,
    })
    this.#send(message, caller, { refused: caller }, now)
    return true
  }

  #receiveAnswer(message, agreement, now) {
    const { message_action: action, callId, fromUserId } = message
    const ends = [CallAction.cancelCall, CallAction.hangup].includes(action)
    if (ends && (fromUserId !== this.#session.peer || callId !== this.#session.callID)) {
      // A call may come after its end.
      this.#endedCalls.addUnheard(callId, fromUserId)
    }
    if (!this.#isOfThisCall(message)) return
    switch (action) {
      case CallAction.accept: return this.#receiveAccept(message, agreement, now)
      case CallAction.cancelCall:
        return message.cancelCallByInternal === 1
          ? this.#finish(Reason.remoteCallingTimeout, Event.remoteCallingTimeout, message, now)
          : this.#finish(Reason.remoteCancelled, Event.remoteCancelled, message, now)
      case CallAction.reject:
        return message.rejectByInternal === 1
          ? this.#finish(Reason.remoteCallBusy, Event.remoteCallBusy, message, now)
          : this.#finish(Reason.remoteRejected, Event.remoteRejected, message, now)
      case CallAction.hangup:
        if (this.#tellsOfRemoval(message)) {
          return this.#takeRemoval('message', 'The other side of the call has been removed from the channel; hang up.', now)
        }
        return this.#finish(Reason.remoteHangup, Event.remoteHangup, message, now)
    }
  }

  /** Whether a message that begins no call belongs to the one under way. */
  #isOfThisCall({ message_action: action, fromUserId, callId, messageId }) {
    if (fromUserId !== this.#session.peer || !this.#isUnderWay) return false
    // What belongs to another call does not count. A server, which does not number its messages, may end a call whose id
    // it does not know; but not by the id of one that is over.
    const isServers = action === CallAction.hangup && messageId === undefined
      && !this.#endedCalls.hasOwn(callId, fromUserId)
    return isServers || callId === '' || callId === this.#session.callID
  }

  #receiveAccept(message, agreement, now) {
    const session = this.#session
    // While connecting that of the other callee, which a server has called too.
    if (this.#state !== State.calling && !(this.#state === State.connecting && !session.isRemoteAccepted)) return
    session.isRemoteAccepted = true
    this.#noteCost('acceptCall', now)
    const wasAwaited = session.encryption === Encryption.awaited
    if (!this.#takeAnswer(agreement)) return this.#hangUpForEncryption(now)
    if (wasAwaited && this.#joinedRoom !== null) {
      this.#tellEncryption(this.#joinedRoom)
      this.#effects.push({ kind: 'publish', room: this.#joinedRoom, isVideo: session.type === CallType.video })
    }
    if (session.isLocalAccepted && this.#state === State.calling) {
      this.#setState(State.connecting, Reason.remoteAccepted, infoOf(message), now)
    }
    this.#tell(Event.remoteAccepted)
    this.#checkConnected(Reason.remoteAccepted, now)
  }

  #finish(reason, event, message, now) {
    this.#setState(State.prepared, reason, infoOf(message), now)
    this.#tell(event)
  }

  // Encryption between the ends: what both sides say of it, and what follows.

  get #policy() { return this.#configuration?.endToEndEncryption ?? Policy.off }

  /** Whether the local user has agreed, and the channel is what it is to be. */
  get #mayPublish() { return this.#session.isLocalAccepted && this.#session.encryption !== Encryption.awaited }

  /** Begins an outgoing call; false if it must be encrypted and cannot be. */
  #offerEncryption(keyPair) {
    if (this.#policy === Policy.off) return true
    if (!keyPair) return this.#policy !== Policy.required
    Object.assign(this.#session, { keyPair, encryption: Encryption.awaited })
    return true
  }

  /** What an incoming call offers, taken up as far as this side wants it; false if the call must not be. */
  #takeOffer(agreement) {
    if (this.#policy === Policy.off || this.#agree(agreement)) return true
    if (this.#policy === Policy.required) return false
    this.#warn('the other side calls without encryption between the ends')
    return true
  }

  /** What the acceptance of an outgoing call says; false if the call must not be. */
  #takeAnswer(agreement) {
    if (this.#session.encryption !== Encryption.awaited || this.#agree(agreement)) return true
    this.#session.encryption = Encryption.none
    if (this.#policy === Policy.required) return false
    this.#warn('the other side accepts without encryption between the ends')
    return true
  }

  #agree(agreement) {
    // Of another call, if somebody lets a machine go on while keys are being computed.
    if (!agreement || agreement.callID !== this.#session.callID) return false
    const { keyPair, media, authenticationText } = agreement
    Object.assign(this.#session, { keyPair, encryption: { media }, authenticationText })
    return true
  }

  /** Has the channel encrypted as the call is, if that is not so. */
  #tellEncryption(room) {
    const { encryption } = this.#session
    const told = this.#joinedRoom === room ? this.#joinedEncryption : Encryption.none
    if (told !== encryption) this.#effects.push({ kind: 'encrypt', room, encryption })
    this.#joinedEncryption = encryption
  }

  /** A call comes that cannot be encrypted and has to be: no user is asked. */
  #rejectForEncryption(call, now) {
    if (this.#rejectUnasked(call, { rejectReason: encryptionReason }, now)) this.#tellNotEncrypted()
  }

  #endUnencrypted(now) {
    this.#setState(State.prepared, Reason.localRejected, {}, now, encryptionReason)
    this.#tell(Event.localRejected)
  }

  /** The call that was to go out cannot be encrypted. */
  #hangUpForEncryption(now) {
    const { peer } = this.#session
    if (peer === null) return
    const message = this.#message(CallAction.hangup, { hangupReason: encryptionReason })
    const sent = this.#send(message, peer, { prefix: 'hangup fail: ' }, now)
    this.#tellNotEncrypted()
    this.#setState(State.prepared, Reason.localHangup, infoOf(sent), now, encryptionReason)
    this.#tell(Event.localHangup)
  }

  /** -120: what engines say of things that cannot be decrypted, 120, for the call as a whole. */
  #tellNotEncrypted() {
    this.#fail(CallErrorEvent.normalError, CallErrorCodeType.normal, -120, encryptionReason)
  }

  // The end of calls whose hangup got lost: the other side is gone, or this side cannot be reached.

  get #absenceLimit() { return Math.max(0, this.#configuration?.peerAbsenceTimeoutMilliseconds ?? 0) }

  /** Starts or stops the timer, which it shares with calling and connecting, as the other side goes or comes. */
  #watchAbsence() {
    const hasOwnTimer = this.#state === State.connecting && (this.#configuration?.callTimeoutMilliseconds ?? 0) <= 0
    if (this.#absenceLimit === 0 || (this.#state !== State.connected && !hasOwnTimer)) return
    const session = this.#session
    const isAway = session.isCutOff || !session.isPeerPresent
    if (isAway === session.isAbsenceTimed) return
    session.isAbsenceTimed = isAway
    this.#effects.push(isAway ? { kind: 'startTimer', milliseconds: this.#absenceLimit } : { kind: 'stopTimer' })
  }

  get #isAccepted() { return this.#state === State.connecting || this.#state === State.connected }

  /** Whether a server says by a hangup that a side is missing: whoever is still there decides what becomes of the call. */
  #tellsOfRemoval({ messageId, hangupReason, callId }) {
    return messageId === undefined && ['lost', 'neverConnected'].includes(hangupReason)
      && callId === this.#session.callID && this.#isAccepted
  }

  /**
   * The server has put the other side out of the channel, or this one: told once, although it may be heard on two ways, and
   * the end of the call if the application allows that.
   */
  #takeRemoval(source, text, now) {
    const session = this.#session
    if (session.removalSource !== null && session.removalSource !== source) {
      session.removalSource = null
    } else {
      session.removalSource = source
      this.#fail(CallErrorEvent.rtcOccurError, CallErrorCodeType.rtc, bannedByServer, text)
    }
    if (this.#absenceLimit > 0 && this.#isAccepted) this.#endForAbsence(now)
  }

  /** Hangs up as if the other side had; it is told, in case it is there after all. */
  #endForAbsence(now) {
    const { peer, callID } = this.#session
    if (peer === null) return
    this.#send(this.#message(CallAction.hangup, { hangupReason: 'remoteLeft' }), peer, {}, now)
    const info = { fromUserId: peer, callId: callID, hangupReason: 'remoteLeft' }
    this.#setState(State.prepared, Reason.remoteHangup, info, now)
    this.#tell(Event.remoteHangup)
  }

  // Tools.

  get #isUnderWay() { return [State.calling, State.connecting, State.connected].includes(this.#state) }

  /** Runs a body and returns the effects it left. */
  #run(body) {
    this.#effects = []
    body()
    return this.#effects
  }

  #warn(text) { this.#effects.push({ kind: 'warning', text }) }

  #tell(event, text = null) { this.#effects.push({ kind: 'event', event, text }) }

  #fail(event, type, code, message = null) { this.#effects.push({ kind: 'error', event, type, code, message }) }

  #complete(id, error = null) {
    if (id !== undefined && id !== null) this.#effects.push({ kind: 'complete', id, error })
  }

  #message(action, fields = {}) {
    return makeMessage(action, {
      fromUserId: this.userID, callId: this.#session.callID, fromUserExtension: this.#configuration?.userExtension,
      ...fields,
    })
  }

  /** Messages that are unanswered and may still come. */
  #unanswered(now) { return [...this.#sends.values()].filter(({ expiry }) => expiry > now.monotonic) }

  /** Whether the signalling is free enough for one more call to ring. */
  #hasRoomToRing(now) { return this.#unanswered(now).length < unansweredLimit }

  /** Whether one more refusal may go out: if as much is left free then as `caller` has not confirmed. */
  #hasRoomToRefuse(caller, now) {
    const waiting = this.#unanswered(now).filter(({ refused }) => refused !== undefined)
    const share = waiting.filter(({ refused }) => refused === caller).length
    return share + 1 <= refusalLimit - waiting.length - 1
  }

  /** Sends a message; returns it as it goes out. Without a prefix in `pending` a failure is not told. */
  #send(message, to, pending, now) {
    const id = ++this.#sendCount
    const timeToLive = pending.refused === undefined ? this.#timeToLive(message, now) : refusalLife
    this.#sends.set(id, { ...pending, expiry: now.monotonic + (timeToLive ?? defaultTimeToLive) })
    const numbered = { ...message, messageId: id, message_timestamp: now.wallMilliseconds }
    this.#effects.push({ kind: 'send', message: numbered, to, id, timeToLive })
    return numbered
  }

  /**
   * A call and its accept are worth delivering as long as this side waits. Its end as long as any of them may still come, and
   * longer: whoever hears of it late is in that call until then. Null leaves it to the signalling.
   */
  #timeToLive({ message_action: action }, now) {
    const timeout = this.#configuration?.callTimeoutMilliseconds ?? 0
    if (timeout <= 0) return null
    switch (action) {
      case CallAction.videoCall: case CallAction.audioCall: return timeout
      case CallAction.accept: {
        const waited = Math.trunc(now.monotonic - (this.#session.startTime ?? now.monotonic))
        return Math.max(1, timeout - waited)
      }
      default: return Math.max(timeout, defaultTimeToLive)
    }
  }

  #noteCost(name, now) {
    const { startTime, costs } = this.#session
    if (startTime !== null) costs[name] = Math.trunc(now.monotonic - startTime)
  }

  #acceptSession(peer, room, completion, now) {
    this.#session.isLocalAccepted = true
    const message = this.#message(CallAction.accept, { e2ePublicKey: this.#session.keyPair?.publicKey })
    const sent = this.#send(message, peer, { completion, prefix: 'accept fail: ' }, now)
    this.#join(room)
    this.#noteCost('acceptCall', now)
    this.#setState(State.connecting, Reason.localAccepted, infoOf(sent), now)
    this.#tell(Event.localAccepted)
    this.#checkConnected(Reason.localAccepted, now)
  }

  /**
   * Tells the other side by a `reject` or a `hangup`, and ends the own call if it is with that side. `text` goes with the new
   * state.
   */
  #end(action, peer, reason, completion, now, text) {
    const rejects = action === CallAction.reject
    const message = this.#message(action, rejects ? { rejectReason: reason } : { hangupReason: reason })
    // Somebody else hears nothing of the own call.
    if (this.#session.peer !== peer) message.callId = ''
    const sent = this.#send(message, peer, { completion, prefix: rejects ? 'reject fail: ' : 'hangup fail: ' }, now)
    if (!this.#configuration || this.#session.peer !== peer) return
    this.#setState(State.prepared, rejects ? Reason.localRejected : Reason.localHangup, infoOf(sent), now, text)
    this.#tell(rejects ? Event.localRejected : Event.localHangup)
  }

  /** Connected or disconnected first, then what entering the state does, then the state, told even if unchanged. */
  #setState(state, reason, info, now, text = '') {
    const old = this.#state
    if (old === State.connecting && state === State.connected) this.#tellConnected(now)
    if (old === State.connected && state !== State.connected) this.#tellDisconnected(reason, now)
    this.#state = state
    if (old !== state) this.#enter(state, old)
    this.#effects.push({ kind: 'state', state, reason, text, info })
  }

  #enter(state, old) {
    if (state === State.calling) {
      this.#startTimer()
    } else if (state !== State.connecting) {
      this.#effects.push({ kind: 'stopTimer' })
    }
    if (state === State.connecting) this.#watchAbsence()
    if (state === State.connected) {
      this.#session.isAbsenceTimed = false
      if (this.#joinedRoom !== null) {
        this.#effects.push({ kind: 'reveal', room: this.#joinedRoom, peer: this.#session.peer })
      }
      this.#watchAbsence()
    }
    if (state === State.idle || (state === State.prepared && old !== State.idle)) this.#cleanUp()
  }

  /** Starts the time that calling and connecting may take, from its beginning if it runs already. */
  #startTimer() {
    const milliseconds = this.#configuration?.callTimeoutMilliseconds ?? 0
    if (milliseconds > 0) this.#effects.push({ kind: 'startTimer', milliseconds })
  }

  /** Leaves the channel and forgets the call, but not what was prepared. */
  #cleanUp() {
    this.#leaveChannel()
    this.#noteSessionEnd()
    this.#session = newSession({ type: this.#session.type })
  }

  /** The call of the moment is over, whatever else is said of it. */
  #noteSessionEnd() {
    const { callID, peer } = this.#session
    if (peer !== null) this.#endedCalls.add(callID, peer)
  }

  #leaveChannel() {
    if (this.#joinedRoom !== null) this.#effects.push({ kind: 'leave', room: this.#joinedRoom })
    this.#joinedRoom = null
    this.#joinedEncryption = Encryption.none
  }

  #tellConnected(now) {
    const { room, peer, isCaller } = this.#session
    this.#session.connectedTime = now
    this.#effects.push({
      kind: 'connected', room, callUserID: isCaller ? this.userID : peer, timestamp: now.wallMilliseconds,
    })
  }

  #tellDisconnected(reason, now) {
    const { room, peer, connectedTime } = this.#session
    const endedByPeer = [Reason.remoteCancelled, Reason.remoteHangup, Reason.remoteRejected, Reason.remoteCallBusy]
    this.#effects.push({
      kind: 'disconnected', room, hangupUserID: endedByPeer.includes(reason) ? peer : this.userID,
      timestamp: now.wallMilliseconds, duration: Math.trunc(now.monotonic - connectedTime.monotonic),
    })
  }

  /** Joins the call's channel, leaving another one first; in a channel that has been joined already, publishes. */
  #join(room) {
    const { peer, type } = this.#session
    const isVideo = type === CallType.video
    const publishes = this.#mayPublish
    if (this.#joinedRoom !== null && this.#joinedRoom !== room) this.#leaveChannel()
    this.#tellEncryption(room)
    if (this.#joinedRoom === room) {
      if (publishes) this.#effects.push({ kind: 'publish', room, isVideo })
      return
    }
    this.#joinedRoom = room
    const token = this.#configuration?.rtcToken ?? ''
    this.#effects.push({ kind: 'join', room, token, isVideo, peer, publishes })
    this.#tell(Event.joinRTCStart)
  }

  /** Whether the call is connected now that one more condition holds. */
  #checkConnected(reason, now) {
    const room = this.#joinedRoom
    if (room === null || this.#state !== State.connecting || !this.#session.isRemoteAccepted) return
    if (!this.#configuration?.isFirstFrameWaitingDisabled && !this.#session.hasFirstFrame) return
    const info = {
      fromRoomId: room, fromUserId: this.#session.peer, remoteUserId: this.userID, costTimeMap: { ...this.#session.costs },
    }
    if (this.#session.authenticationText) info.authenticationText = this.#session.authenticationText
    this.#setState(State.connected, reason, info, now)
  }
}
