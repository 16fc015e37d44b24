// The channel of a call: the other side by WHEP, one's own camera and microphone by WHIP.

import { CallMediaEncryption } from './call.js'
import { ChannelProfile, MediaError, play, publish } from './media.js'

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
/** Errors of browsers have codes of their own. */
const codeOf = (error) => error instanceof MediaError ? error.code : -1
const profile = ChannelProfile.communication

/** Resolves when a session's connection stands. */
const connected = ({ connection }) => new Promise((resolve) => {
  const look = () => { if (connection.connectionState === 'connected') resolve() }
  connection.addEventListener('connectionstatechange', look)
  look()
})

/** Being in the channel of a call. A session that the server has ended is made again until `leave`. */
export class CallRoom {
  #publishes = false
  #isPeerThere = false
  /** The present session to receive. */
  #session = null
  /** What had come last when the other side left; null before that. */
  #departure = null
  #hasLeft = false
  /** Of each session that is there or is being begun, what ends it. */
  #sessions = new Set()
  /** Encrypts and decrypts between the ends; null if nothing is, nor will be. */
  #frames = null

  /**
   * `encryption` is between the ends, as `encrypt` takes it; `token` is proof of the right to be there, or empty; `view` is
   * the media element of the other side, muted and hidden until `reveal`; `capture(isVideo)` gives one's own stream; `report`
   * is told what happens, as `CallStateMachine.channel` takes it; `renew()` gives a promise of another token, or of null, when
   * the server has refused the present one; `tokenWillExpire()` is called when that ends soon.
   */
  constructor({
    room, token, uid, peer, isVideo, view, capture, report, renew, tokenWillExpire = () => {},
    encryption = CallMediaEncryption.none,
  }) {
    Object.assign(this, { room, token, uid, peer, isVideo, view, capture, renew, tokenWillExpire })
    this.encrypt(encryption)
    this.report = (event) => { if (!this.#hasLeft) report(event) }
  }

  /**
   * How pictures and sound are encrypted between the ends from now on: not (`none`), with a key that is still to come, so that
   * nothing is seen, heard or sent before (`awaited`), or with an object's `media`, as text.
   */
  encrypt(encryption) {
    if (encryption === CallMediaEncryption.none && !this.#frames) return
    if (!this.#frames) {
      this.#frames = new Worker(new URL('frameworker.js', import.meta.url), { type: 'module' })
      // What has begun without it, or is beginning, is begun again.
      this.#endSessions()
    }
    if (encryption === CallMediaEncryption.awaited) return
    const { room, uid, peer } = this
    this.#frames.postMessage(
      encryption === CallMediaEncryption.none
        ? { isPlain: true } : { secret: encryption.media, channel: room, uid, peer })
  }

  /** Puts itself between codec and network: what `play` and `publish` take as `transform`. */
  get #transform() {
    const frames = this.#frames
    return frames && ((direction, kind) => new RTCRtpScriptTransform(frames, { direction, kind }))
  }

  /** Begins to receive. */
  join() {
    this.view.muted = true
    this.view.hidden = true
    const kinds = this.isVideo ? ['audio', 'video'] : ['audio']
    this.#keep((signal) => play(this.room, this.peer, this.view, {
      kinds, profile, signal, token: this.token, transform: this.#transform,
    }), (session) => {
      this.#session = session
      this.#departure = null
      this.report({ kind: 'joined' })
      session.follow({
        active: ({ uid }) => this.#peerIsThere(uid),
        inactive: ({ uid, reason }) => this.#peerHasGone(uid, reason),
        tokenWillExpire: () => this.tokenWillExpire(),
      })
      this.#awaitFirstFrame(session)
    })
  }

  /** Begins to publish. */
  async publish() {
    if (this.#publishes) return
    this.#publishes = true
    const { isVideo } = this
    let stream
    try {
      stream = await this.capture(isVideo)
      if (!stream) return
      if (isVideo) this.report({ kind: 'localVideoCaptured' })
    } catch (error) {
      return this.report({ kind: 'captureFailed', code: codeOf(error), message: error.message })
    }
    this.#keep((signal) => publish(this.room, this.uid, stream, {
      profile, signal, token: this.token, transform: this.#transform,
    }), async (session) => {
      await connected(session)
      if (isVideo) this.report({ kind: 'localVideoPublished' })
      this.report({ kind: 'localAudioPublished' })
    })
  }

  /** For sessions that begin from now on; those that are there stay. */
  renewToken(token) { this.token = token }

  /** Lets the other side be heard, and seen if it is a video call. */
  reveal() {
    this.view.muted = false
    this.view.hidden = !this.isVideo
    this.view.play().catch((error) => this.report({ kind: 'failed', code: -1, message: error.message }))
  }

  leave() {
    this.#hasLeft = true
    this.#endSessions()
    this.#frames?.terminate()
    this.view.muted = true
    this.view.hidden = true
    this.view.srcObject = null
  }

  #peerIsThere(uid) {
    if (this.#isPeerThere) return
    this.#isPeerThere = true
    this.report({ kind: 'userJoined', uid })
    if (this.#departure !== null) this.#awaitFirstFrame(this.#session)
  }

  #peerHasGone(uid, reason) {
    if (!this.#isPeerThere) return
    this.#isPeerThere = false
    this.#departure = this.#newestFrame(this.#session)
    this.report({ kind: 'userLeft', uid, reason })
  }

  /** The timestamp of the newest picture (audio call: sound) that has been handed on for playing. */
  #newestFrame({ connection }) {
    const kind = this.isVideo ? 'video' : 'audio'
    const receiver = connection.getReceivers().find(({ track }) => track.kind === kind)
    return receiver?.getSynchronizationSources()[0]?.rtpTimestamp
  }

  #endSessions() {
    for (const session of this.#sessions) session.abort()
  }

  /** Has a session as long as this is in the room; `begin` makes one that ends by the signal it gets. */
  async #keep(begin, follow) {
    let isRenewed = false
    for (let pause = 200; !this.#hasLeft; pause = Math.min(2 * pause, 4_000)) {
      const ending = new AbortController()
      this.#sessions.add(ending)
      try {
        const session = await begin(ending.signal)
        if (!ending.signal.aborted) {
          pause = 200
          isRenewed = false
          follow(session)
          await session.ended
        }
      } catch (error) {
        if (!ending.signal.aborted) {
          // It may have run out; whether another one is better is seen the next time.
          isRenewed = error.status === 401 && !isRenewed && await this.#takeNewToken()
          if (!isRenewed) this.report({ kind: 'failed', code: codeOf(error), message: error.message })
        }
      }
      this.#sessions.delete(ending)
      await wait(pause)
    }
  }

  async #takeNewToken() {
    const token = await this.renew?.() ?? null
    if (token === null) return false
    this.token = token
    return true
  }

  /** Looks for the first picture (audio call: sound) that has been handed on for playing. */
  async #awaitFirstFrame(session) {
    const before = this.#departure
    while (!session.isClosed && !this.#hasLeft && before === this.#departure) {
      const newest = this.#newestFrame(session)
      if (newest !== undefined && newest !== before) {
        return this.report({ kind: this.isVideo ? 'remoteVideo' : 'remoteAudio', uid: this.peer })
      }
      await wait(30)
    }
  }
}
