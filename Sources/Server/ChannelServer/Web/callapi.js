// 1v1 calls of this page: a `CallStateMachine` with signalling, media and a timer. docs/calls.md describes it; methods,
// listeners and messages are those of Sources/Calls/CallAPI.

import { CallEncryptionPolicy, CallLogLevel, CallMediaEncryption, CallStateMachine, CallType } from './call.js'
import { agreementFor, makeKeyPair } from './callkeys.js'
import { CallAction, readMessage } from './callmessage.js'
import { CallRoom } from './callroom.js'

const now = () => ({ monotonic: performance.now(), wallMilliseconds: Date.now() })

/** Why a method failed: -1 for what this side found by itself, otherwise the signalling's code; and a sentence. */
export class CallError extends Error {
  constructor({ code, message }) {
    super(message)
    this.code = code
  }
}

/**
 * Methods that end in a completion in Swift return a promise here. What is asked for in a listener happens after
 * everything of the present step has been told.
 */
export class CallAPI {
  #machine
  #signal
  #view
  #capture
  #isElsewhere
  #room = null
  #timer = null
  #listeners = new Set()
  #completions = new Map()
  #completionCount = 0
  #steps = []
  #isStepping = false
  /** Keys for the next call; null while there are none, or if none can be made. */
  #keyPair = null
  /** While they are being made. */
  #keysComing = null
  /** How the channel of the call is encrypted. */
  #encryption = CallMediaEncryption.none
  /** What has come and is not yet taken: computing keys takes a while. */
  #inbox = Promise.resolve()
  #inboxCount = 0

  /**
   * `signal` is a `SignalClient` that the application logs in as `userID`, and whose texts it gives to `receive`; `view`
   * shows the other side; `capture(isVideo)` gives a promise of one's own stream (null if it is not wanted any longer), which stays
   * the application's; `isElsewhere(room)` tells whether the application is in that channel itself: calls to it do not ring.
   */
  constructor({ userID, signal, view, capture, isElsewhere = () => false }) {
    this.#isElsewhere = isElsewhere
    this.#machine = new CallStateMachine(userID)
    this.#signal = signal
    this.#view = view
    this.#capture = capture
  }

  get userID() { return this.#machine.userID }
  get state() { return this.#machine.state }
  get callID() { return this.#machine.callID }
  /** The other side of the call, or null. */
  get remoteUserID() { return this.#machine.peer }
  get callType() { return this.#machine.type }
  /** 12 digits that both users see alike if nobody stands between them; null without encryption between the ends. */
  get authenticationText() { return this.#machine.authenticationText }

  /** A listener has any of the methods of `CallAPIListener`. */
  addListener(listener) { this.#listeners.add(listener) }
  removeListener(listener) { this.#listeners.delete(listener) }

  /**
   * Gets ready to call and to be called. Without a `roomID` each call gets a fresh one. `endToEndEncryption` is a
   * `CallEncryptionPolicy`; keys can be made on secure pages only.
   */
  async prepareForCall({
    roomID = '', rtcToken = '', callTimeoutMilliseconds = 15_000, userExtension, isFirstFrameWaitingDisabled = false,
    peerAbsenceTimeoutMilliseconds = 0, endToEndEncryption = CallEncryptionPolicy.off,
  } = {}) {
    const configuration = {
      roomID, rtcToken, callTimeoutMilliseconds, userExtension, isFirstFrameWaitingDisabled,
      peerAbsenceTimeoutMilliseconds, endToEndEncryption,
    }
    if (endToEndEncryption !== CallEncryptionPolicy.off && !this.#keyPair) await this.#makeKeys()
    return this.#request((machine, id) => machine.prepare(configuration, id, now()))
  }

  call(remoteUserID, callType = CallType.video, callExtension = {}) {
    // Without keys it would go out unencrypted.
    if (this.#machine.wantsKeys && !this.#keyPair && this.#keysComing) {
      return this.#keysComing.then(() => this.call(remoteUserID, callType, callExtension))
    }
    const [callID, room] = [crypto.randomUUID(), crypto.randomUUID()]
    const keyPair = this.#machine.wantsKeys ? this.#takeKeys() : null
    return this.#request(
      (machine, id) => machine.call(remoteUserID, callType, callExtension, callID, id, now(), room, keyPair))
  }

  cancelCall() { return this.#request((machine, id) => machine.cancelCall(id, now())) }

  accept(remoteUserID) { return this.#request((machine, id) => machine.accept(remoteUserID, id, now())) }

  reject(remoteUserID, reason) {
    return this.#request((machine, id) => machine.reject(remoteUserID, reason, id, now()))
  }

  hangup(remoteUserID, reason) {
    return this.#request((machine, id) => machine.hangUp(remoteUserID, reason, id, now()))
  }

  /** Replaces the token for rooms, also that of a call under way. */
  renewToken(token) { this.#perform((machine) => machine.renewToken(token)) }

  /** Ends everything: a call under way is cancelled or hung up. */
  deinitialize() { return this.#request((machine, id) => machine.deinitialize(id, now())) }

  /** Takes a text of the signalling. */
  receive(text, from) {
    const message = readMessage(text)
    if (!message) return this.#warn('fail to parse message')
    if (message.fromUserId !== from) return this.#warn(`a message of ${from} pretends to be another's`)
    const isCall = [CallAction.videoCall, CallAction.audioCall].includes(message.message_action)
    if (isCall && this.#isElsewhere(message.fromRoomId)) {
      return this.#warn(`user ${from} calls to a channel that this user is in already`)
    }
    const asked = [...this.#listeners].filter((listener) => listener.canJoinRTCOnCalling)
    const joins = (info) => asked.length === 0 || asked.some((listener) => {
      try { return listener.canJoinRTCOnCalling(info) } catch (error) { return console.error(error) }
    })
    const take = (agreement) => this.#perform((machine) => machine.receive(message, now(), joins, agreement))
    if (this.#inboxCount === 0 && !(message.e2ePublicKey && this.#machine.wantsKeys)) return take(null)
    this.#inboxCount += 1
    this.#inbox = this.#inbox.then(async () => {
      const make = async () => this.#takeKeys() ?? makeKeyPair()
      const agreement = await agreementFor(this.#machine, message, make).catch(() => null)
      this.#inboxCount -= 1
      take(agreement)
    })
  }

  #makeKeys() {
    this.#keysComing = makeKeyPair().then((keyPair) => {
      this.#keyPair = keyPair
      this.#keysComing = null
    })
    return this.#keysComing
  }

  /** The keys that are there, if any; others are made for the next call. */
  #takeKeys() {
    const keyPair = this.#keyPair
    this.#keyPair = null
    this.#makeKeys()
    return keyPair
  }

  #request(body) {
    return new Promise((resolve, reject) => {
      const id = ++this.#completionCount
      this.#completions.set(id, (error) => error ? reject(new CallError(error)) : resolve())
      this.#perform((machine) => body(machine, id))
    })
  }

  /** Lets the machine take a step and does what it wants; steps wait for each other. */
  #perform(step) {
    this.#steps.push(step)
    if (this.#isStepping) return
    this.#isStepping = true
    while (this.#steps.length > 0) {
      // What goes wrong in one place must not stop all that comes after it.
      for (const effect of this.#steps.shift()(this.#machine)) {
        try { this.#carryOut(effect) } catch (error) { console.error(error) }
      }
    }
    this.#isStepping = false
  }

  #carryOut(effect) {
    switch (effect.kind) {
      case 'send': return this.#send(effect)
      case 'encrypt':
        this.#encryption = effect.encryption
        return this.#room?.encrypt(effect.encryption)
      case 'join': return this.#join(effect)
      case 'publish': return this.#room?.publish()
      case 'leave': return this.#leave()
      case 'reveal': return this.#room?.reveal()
      case 'renewToken': return this.#room?.renewToken(effect.token)
      case 'startTimer':
        clearTimeout(this.#timer)
        this.#timer = setTimeout(() => this.#perform((machine) => machine.timerFired(now())), effect.milliseconds)
        return
      case 'stopTimer': return clearTimeout(this.#timer)
      case 'complete':
        this.#completions.get(effect.id)?.(effect.error)
        this.#completions.delete(effect.id)
        return
      default: return this.#notify(effect)
    }
  }

  #send({ message, to, id }) {
    const finish = (error) => this.#perform((machine) => machine.sendFinished(id, error, now()))
    let text
    try {
      text = JSON.stringify(message)
    } catch (error) {
      // An application's extension is no JSON.
      return queueMicrotask(() => finish({ code: -1, message: error.message, isUndelivered: true }))
    }
    this.#signal.send(text, to)
      .then(() => finish(null), ({ code = -1, message, isCertain = false }) =>
        finish({ code, message, isUndelivered: isCertain }))
  }

  #join({ room, token, isVideo, peer, publishes }) {
    this.#room = new CallRoom({
      room, token, uid: this.userID, peer, isVideo, view: this.#view, capture: this.#capture,
      encryption: this.#encryption,
      report: (event) => this.#perform((machine) => machine.channel(room, event, now())),
    })
    this.#room.join()
    if (publishes) this.#room.publish()
  }

  #leave() {
    const { room } = this.#room
    this.#room.leave()
    this.#room = null
    this.#encryption = CallMediaEncryption.none
    this.#perform((machine) => machine.channel(room, { kind: 'left' }, now()))
  }

  #warn(text) { this.#notify({ kind: 'warning', text }) }

  #notify(told) {
    for (const listener of this.#listeners) {
      try { this.#tell(listener, told) } catch (error) { console.error(error) }
    }
  }

  #tell(listener, told) {
    switch (told.kind) {
      case 'state': return listener.onCallStateChanged?.(told.state, told.reason, told.text, told.info)
      case 'event': return listener.onCallEventChanged?.(told.event, told.text)
      case 'error': return listener.onCallError?.(told.event, told.type, told.code, told.message)
      case 'connected':
        return listener.onCallConnected?.(told.room, told.callUserID, this.userID, told.timestamp)
      case 'disconnected':
        return listener.onCallDisconnected?.(
          told.room, told.hangupUserID, this.userID, told.timestamp, told.duration)
      case 'warning': return listener.callDebugInfo?.(told.text, CallLogLevel.warning)
    }
  }
}
