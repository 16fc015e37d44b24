// 1v1 calls of this page: what an application uses. docs/calls.md describes it; methods, listeners and messages are those of
// Sources/Calls/CallAPI.

import { randomUUID } from './bytes.js'
import { CallEncryptionPolicy, CallState, CallType } from './call.js'
import { CallCore } from './callcore.js'
import { CallQueue } from './callqueue.js'

/** Why a method failed: -1 for what this side found by itself, otherwise the signalling's code; and a sentence. */
export class CallError extends Error {
  constructor({ code, message }) {
    super(message)
    this.code = code
  }
}

const notUser = (value) => ({ code: -1, message: `call fail! ${value} is not a user's number` })
/** What a `UInt` is in Swift. */
const isNumber = (value) => Number.isSafeInteger(value) && value >= 0
const notInitialized = { code: -1, message: 'config is Empty' }

/**
 * Methods that end in a completion in Swift return a promise here. Everything happens in the order in which it is asked for
 * or comes; at once, unless something before it waits for keys or is being told: what is asked for in a listener happens
 * after everything of the present step has been told.
 */
export class CallAPI {
  #userID
  #listeners = new Set()
  #queue = new CallQueue()
  #makeCore
  /** Null after `deinitialize`, until something is prepared again. */
  #core

  /**
   * `signal` is a `SignalClient` that the application logs in as `userID`, and whose texts it gives to `receive`; `view`
   * shows the other side; `capture(isVideo)` gives a promise of one's own stream (null if it is not wanted any longer), which stays
   * the application's; `isElsewhere(room)` tells whether the application is in that channel itself: calls to it do not ring.
   */
  constructor({ userID, signal, view, capture, isElsewhere = () => false }) {
    this.#userID = userID
    this.#makeCore = () => new CallCore({
      userID, queue: this.#queue, listeners: this.#listeners, signal, view, capture, isElsewhere,
    })
    this.#core = this.#makeCore()
  }

  get userID() { return this.#userID }
  get state() { return this.#core?.machine.state ?? CallState.idle }
  get callID() { return this.#core?.machine.callID ?? '' }
  /** The other side of the call, or null. */
  get remoteUserID() { return this.#core?.machine.peer ?? null }
  get callType() { return this.#core?.machine.type ?? CallType.video }
  /** 12 digits that both users see alike if nobody stands between them; null without encryption between the ends. */
  get authenticationText() { return this.#core?.machine.authenticationText ?? null }

  /** A listener has any of the methods of `CallAPIListener`. */
  addListener(listener) { this.#listeners.add(listener) }
  removeListener(listener) { this.#listeners.delete(listener) }

  /**
   * Gets ready to call and to be called. Without a `roomID` each call gets a fresh one. `endToEndEncryption` is a
   * `CallEncryptionPolicy`; keys can be made on secure pages only. `tokenProvider(roomID, uid)`, in
   * place of `rtcToken`, gives a promise of a token for each room that is to be joined, and of another when that ends soon
   * or the server refuses it; null, or a failure, if there is none.
   */
  prepareForCall({
    roomID = '', rtcToken = '', tokenProvider, callTimeoutMilliseconds = 15_000, userExtension, isFirstFrameWaitingDisabled = false,
    peerAbsenceTimeoutMilliseconds = 0, endToEndEncryption = CallEncryptionPolicy.off,
  } = {}) {
    const configuration = {
      roomID, rtcToken, tokenProvider, callTimeoutMilliseconds, userExtension, isFirstFrameWaitingDisabled,
      peerAbsenceTimeoutMilliseconds, endToEndEncryption,
    }
    this.#queue.add(() => { this.#core ??= this.#makeCore() })
    return this.#request((machine, id, now) => machine.prepare(configuration, id, now))
  }

  /** Calls a user; the promise tells whether the message has reached the other side. */
  call(remoteUserID, callType = CallType.video, callExtension = {}) {
    if (!isNumber(remoteUserID)) return Promise.reject(new CallError(notUser(remoteUserID)))
    const names = { callID: randomUUID(), room: randomUUID() }
    return this.#ask((core, done) => core.call(remoteUserID, callType, callExtension, names, done))
  }

  cancelCall() { return this.#request((machine, id, now) => machine.cancelCall(id, now)) }

  accept(remoteUserID) { return this.#request((machine, id, now) => machine.accept(remoteUserID, id, now)) }

  reject(remoteUserID, reason) {
    return this.#request((machine, id, now) => machine.reject(remoteUserID, reason, id, now))
  }

  hangup(remoteUserID, reason) {
    return this.#request((machine, id, now) => machine.hangUp(remoteUserID, reason, id, now))
  }

  /**
   * To be called before the application itself joins a channel under this uid: whoever calls says in which channel, and a call
   * in this one, which this user has not made, ends.
   */
  takeChannel(room) { this.#queue.add(() => this.#core?.takeChannel(room)) }

  /** Replaces the token for rooms, also that of a call under way. */
  renewToken(token) { this.#queue.add(() => this.#core?.renewToken(token)) }

  /**
   * Ends everything: a call under way is cancelled or hung up. Promises that are still open fail, and nothing is heard of
   * after this one's end, until `prepareForCall`.
   */
  deinitialize() {
    return new Promise((resolve) => this.#queue.add(() => {
      const core = this.#core
      core?.deinitialize()
      this.#core = null
      resolve()
    }))
  }

  /** Takes a text of the signalling. */
  receive(text, from) { this.#queue.add(() => this.#core?.receive(text, from)) }

  #request(body) { return this.#ask((core, done) => core.request(body, done)) }

  #ask(body) {
    return new Promise((resolve, reject) => {
      const done = (error) => error ? reject(new CallError(error)) : resolve()
      this.#queue.add(() => this.#core ? body(this.#core, done) : done(notInitialized))
    })
  }
}
