// A `CallStateMachine` from its first step to `deinitialize`, with what its effects are done with: signalling, the channel,
// a timer, completions and listeners. The counterpart of Sources/Calls/CallAPI/CallCore.swift.

import { CallLogLevel, CallMediaEncryption, CallStateMachine } from './call.js'
import { agreementFor, makeKeyPair } from './callkeys.js'
import { isCall, readMessage } from './callmessage.js'
import { CallRoom } from './callroom.js'

/** More, some weeks, would end a browser's timer at once. */
const maximumTimeout = 2 ** 31 - 1

const now = () => ({ monotonic: performance.now(), wallMilliseconds: Date.now() })

/** `EngineErrorCode.invalidToken`. */
const invalidToken = 110

/**
 * All methods are called in a task of the `queue` that everything goes through, and return a promise if the next task has
 * to wait. What comes later of an effect waits its turn there as well, and is nothing any more after `deinitialize`.
 */
export class CallCore {
  #machine
  #queue
  #listeners
  #signal
  #view
  #capture
  #isElsewhere
  #room = null
  /** What is to be done in a channel that waits for its token: `room`, `effects`. */
  #waiting = null
  /** How the channel of the call is encrypted. */
  #encryption = CallMediaEncryption.none
  #timer = null
  #completions = new Map()
  #completionCount = 0
  #isOver = false

  /** `queue` is a `CallQueue`; `listeners` are called in their order; the rest is what `CallAPI` has been given. */
  constructor({ userID, queue, listeners, signal, view, capture, isElsewhere }) {
    this.#machine = new CallStateMachine(userID)
    this.#queue = queue
    this.#listeners = listeners
    this.#signal = signal
    this.#view = view
    this.#capture = capture
    this.#isElsewhere = isElsewhere
  }

  get machine() { return this.#machine }

  /** What the application asks for: `body(machine, id, now)` gives effects; `done` is told how it ended, null or an error. */
  request(body, done) {
    const id = ++this.#completionCount
    this.#completions.set(id, done)
    this.#carryOut(body(this.#machine, id, now()))
  }

  /** Calls a user, with keys if the call can be made and wants some. */
  call(peer, type, callExtension, { callID, room }, done) {
    const go = (keyPair) => this.request((machine, id, now) =>
      machine.call(peer, type, callExtension, callID, id, now, room, keyPair), done)
    return this.#machine.wantsKeysToCall(peer, room) ? makeKeyPair().then(go) : go(null)
  }

  renewToken(token) { this.#carryOut(this.#machine.renewToken(token)) }

  /** The application is about to join a channel itself. */
  takeChannel(room) { this.#carryOut(this.#machine.channel(room, { kind: 'taken' }, now())) }

  /** Takes a text of the signalling. */
  receive(text, from) {
    const message = readMessage(text)
    if (!message) return this.#warn('fail to parse message')
    // The server itself (0) may speak for others, as when it ends a call.
    if (from !== 0 && message.fromUserId !== from) return this.#warn(`a message of ${from} pretends to be another's`)
    if (isCall(message) && message.fromRoomId && this.#isElsewhere(message.fromRoomId)) {
      return this.#warn(`user ${from} calls to a channel that this user is in already`)
    }
    const arrival = now()
    const take = (agreement) => this.#carryOut(
      this.#machine.receive(message, arrival, (info) => this.#joinsOnCalling(info), agreement))
    const context = this.#machine.contextOfKeys(message, arrival)
    return context ? agreementFor(context, message.e2ePublicKey).then(take) : take(null)
  }

  /** Ends everything; completions that wait fail. */
  deinitialize() {
    this.#carryOut(this.#machine.deinitialize(null, now()))
    this.#isOver = true
    clearTimeout(this.#timer)
    const waiting = [...this.#completions.values()]
    this.#completions.clear()
    for (const done of waiting) done({ code: -1, message: 'deinitialized' })
  }

  /** What has happened leads to a step, in its turn. */
  #later(step) { this.#queue.add(() => { if (!this.#isOver) this.#carryOut(step(this.#machine)) }) }

  #carryOut(effects) {
    for (const effect of effects) {
      // What goes wrong in one place must not stop all that comes after it.
      try { this.#do(effect) } catch (error) { console.error(error) }
    }
  }

  #do(effect) {
    if (this.#holdsBack(effect)) return undefined
    switch (effect.kind) {
      case 'send': return this.#send(effect)
      case 'encrypt':
        this.#encryption = effect.encryption
        return this.#room?.encrypt(effect.encryption)
      case 'join': return this.#machine.tokenProvider ? this.#askForToken(effect) : this.#join(effect)
      case 'publish': return this.#publish(effect)
      case 'leave': return this.#leave(effect)
      case 'reveal': return this.#room?.reveal()
      case 'renewToken': return this.#room?.renewToken(effect.token)
      case 'startTimer': return this.#startTimer(effect.milliseconds)
      case 'stopTimer': return this.#stopTimer()
      case 'complete': return this.#complete(effect)
      default: return this.#notify(effect)
    }
  }

  #complete({ id, error }) {
    const done = this.#completions.get(id)
    this.#completions.delete(id)
    done?.(error)
  }

  #send({ message, to, id, timeToLive }) {
    const finish = (error) => this.#later((machine) => machine.sendFinished(id, error, now()))
    let text
    try {
      text = JSON.stringify(message)
    } catch (error) {
      // An application's extension is no JSON.
      return finish({ code: -1, message: error.message, isUndelivered: true })
    }
    // A client of the application's own may throw, too.
    new Promise((resolve) => resolve(this.#signal.send(text, to, { timeToLive }))).then(
      () => finish(null),
      ({ code = -1, message, isCertain = false }) => finish({ code, message, isUndelivered: isCertain }))
  }

  #startTimer(milliseconds) {
    this.#stopTimer()
    // One that has been stopped while its turn had not come yet does not count.
    const timer = setTimeout(
      () => this.#later((machine) => timer === this.#timer ? machine.timerFired(now()) : []),
      Math.min(milliseconds, maximumTimeout))
    this.#timer = timer
  }

  #stopTimer() {
    clearTimeout(this.#timer)
    this.#timer = null
  }

  /** Keeps what concerns a channel whose token has not come yet; if it is to be left, there is nothing more to do in it. */
  #holdsBack(effect) {
    if (!this.#waiting || effect.room !== this.#waiting.room) return false
    if (effect.kind === 'leave') this.#waiting = null
    if (!['encrypt', 'publish', 'reveal'].includes(effect.kind)) return false
    this.#waiting.effects.push(effect)
    return true
  }

  #askForToken(join) {
    const { room } = join
    const waiting = { room, effects: [] }
    this.#waiting = waiting
    this.#token(room).then((token) => this.#later((machine) => {
      if (this.#waiting !== waiting) return []
      this.#waiting = null
      if (token === null) {
        const message = 'There is no token for the room.'
        return machine.channel(room, { kind: 'failed', code: invalidToken, message }, now())
      }
      this.#join({ ...join, token })
      return waiting.effects
    }))
  }

  /** A token for a room from who provides them; null if there is none. */
  #token(room) {
    const { tokenProvider, userID } = this.#machine
    // It may throw, too.
    return new Promise((resolve) => resolve(tokenProvider?.(room, userID))).then(
      (token) => token ?? null,
      (error) => {
        console.error(error)
        return null
      })
  }

  #publish({ room }) { if (!this.#isTaken(room)) this.#room?.publish() }

  /** Whether the application is in the channel of a call that this user has not made: that ends. */
  #isTaken(room) {
    if (this.#machine.isCaller || !this.#isElsewhere(room)) return false
    this.#later((machine) => machine.channel(room, { kind: 'taken' }, now()))
    return true
  }

  #join({ room, token, isVideo, peer, publishes }) {
    if (this.#isTaken(room)) return
    // Two calls may use the same channel.
    const report = (event) => this.#later((machine) =>
      this.#room === joined ? machine.channel(room, event, now()) : [])
    const joined = new CallRoom({
      room, token, uid: this.#machine.userID, peer, isVideo, view: this.#view, capture: this.#capture,
      encryption: this.#encryption, report, renew: () => this.#token(room),
      tokenWillExpire: () => this.#later(() => {
        if (this.#room === joined) this.#tokenWillExpire(joined)
        return []
      }),
    })
    this.#room = joined
    joined.join()
    if (publishes) joined.publish()
  }

  /** Who provides tokens is asked for another, and the application is told. */
  #tokenWillExpire(joined) {
    if (this.#machine.tokenProvider) {
      this.#token(joined.room).then((token) => this.#later(() => {
        if (this.#room !== joined) return []
        if (token !== null) joined.renewToken(token)
        else this.#warn(`the token of room ${joined.room} ends soon, and no other has been provided`)
        return []
      }))
    }
    this.#notify({ kind: 'tokenWillExpire' })
  }

  #leave({ room }) {
    this.#room?.leave()
    this.#room = null
    this.#encryption = CallMediaEncryption.none
    this.#later((machine) => machine.channel(room, { kind: 'left' }, now()))
  }

  /** The first yes counts; without one, a no of anybody. Who has no opinion is not counted. */
  #joinsOnCalling(info) {
    let isRefused = false
    for (const listener of [...this.#listeners]) {
      let joins
      try { joins = listener.canJoinRTCOnCalling?.(info) } catch (error) { console.error(error) }
      if (joins) return true
      if (joins === false) isRefused = true
    }
    return !isRefused
  }

  #warn(text) { this.#notify({ kind: 'warning', text }) }

  #notify(told) {
    for (const listener of [...this.#listeners]) {
      try { this.#tell(listener, told) } catch (error) { console.error(error) }
    }
  }

  #tell(listener, told) {
    const { userID } = this.#machine
    switch (told.kind) {
      case 'state': return listener.onCallStateChanged?.(told.state, told.reason, told.text, told.info)
      case 'event': return listener.onCallEventChanged?.(told.event, told.text)
      case 'error': return listener.onCallError?.(told.event, told.type, told.code, told.message)
      case 'connected':
        return listener.onCallConnected?.(told.room, told.callUserID, userID, told.timestamp)
      case 'disconnected':
        return listener.onCallDisconnected?.(told.room, told.hangupUserID, userID, told.timestamp, told.duration)
      case 'tokenWillExpire': return listener.tokenPrivilegeWillExpire?.()
      case 'warning': return listener.callDebugInfo?.(told.text, CallLogLevel.warning)
    }
  }
}
