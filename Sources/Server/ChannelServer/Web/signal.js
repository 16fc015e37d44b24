// Texts between users, by the server's WebSocket at /v1/signal (docs/protocol.md).

/** Whether a `SignalClient` can send and receive. */
export const SignalConnectionState = Object.freeze({
  disconnected: 'disconnected', connecting: 'connecting', connected: 'connected', reconnecting: 'reconnecting',
})

/** Why logging in or sending failed: the server's code, or -1 for what this side found by itself, and a sentence. */
export class SignalError extends Error {
  constructor(message, code = -1, { isCertain = code > 0 && code !== notConfirmed && code !== clusterUnavailable } = {}) {
    super(message)
    this.code = code
    /** Whether it is certain that the receiver has not got the text. */
    this.isCertain = isCertain
  }
}

/** Why something is not even tried. */
const refusal = (message) => new SignalError(message, -1, { isCertain: true })

const State = SignalConnectionState
const answerTimeout = 5_000
const defaultTimeToLive = 15_000
const maximumTimeToLive = 600_000
const maximumPause = 6_400
const maximumByteCount = 32_768
const maximumPendingCount = 128
const recentCount = 1_024
const userOffline = 1404
const notConfirmed = 1408
/** Servers that have lost each other do not know either what a text has come to. */
const clusterUnavailable = 1502
const isUID = (uid) => Number.isSafeInteger(uid) && uid >= 1 && uid <= 4_294_967_295

const notLoggedIn = () => new SignalError('Not logged in for signalling; log in first.')
const connectionLost = () =>
  new SignalError('The connection to the signalling server is lost; it is being made again. Try again.')
/** For a first login, which is not tried again. */
const unreachable = () =>
  new SignalError('The signalling server cannot be reached; check its address and the network, and log in again.')
const timedOut = () => new SignalError('The signalling server has not answered in time; try again.')

/** Bytes that nobody can guess, as hexadecimal digits. */
const randomText = (byteCount) =>
  [...crypto.getRandomValues(new Uint8Array(byteCount))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** The texts that have come last, to tell when one comes again. */
class RecentTexts {
  #keys = new Set()

  /** Remembers a text; false if it has come before. */
  insert(sender, id) {
    const key = `${sender}/${id}`
    if (this.#keys.has(key)) return false
    this.#keys.add(key)
    if (this.#keys.size > recentCount) this.#keys.delete(this.#keys.values().next().value)
    return true
  }
}

/**
 * Logs in once, and again by itself with growing pauses when the connection is lost. The login then goes on: texts without
 * an answer are sent again, and those that came meanwhile are handed on, each once and in order. A text without an answer
 * after 15 s (or the time that its sender gives it) fails, and is not delivered later.
 */
export class SignalClient {
  #url
  #socket = null
  #uid = null
  #token = ''
  #session = ''
  #sequence = 0
  #recent = new RecentTexts()
  #state = State.disconnected
  #login = null
  #pending = new Map()
  // Receivers tell texts apart by their numbers, over reloads of the page too.
  #requestCount = 1 + Math.floor(Math.random() * 2 ** 52)
  #failureCount = 0
  #complaint = null
  #timer = null

  /** Called with a text and its sender, for whom the server vouches. */
  onMessage = () => {}
  /** Called with the new state, and with its cause where it was not this side's wish; not inside the call that led to it. */
  onConnectionStateChanged = () => {}
  /** Called when the token runs out soon: renew it. */
  onTokenWillExpire = () => {}

  /** `url` is the server, as ws://HOST:PORT; by default where the page comes from. */
  constructor(url = location.origin.replace(/^http/, 'ws')) {
    this.#url = `${url}/v1/signal`
  }

  /** Who is logged in or wants to be. */
  get uid() { return this.#uid }
  get connectionState() { return this.#state }

  /** Logs in; a first login that fails is not tried again. */
  login(uid, token = '') {
    this.logout()
    if (!isUID(uid)) return Promise.reject(refusal(`${uid} is not a user's number; use 1 to 4294967295.`))
    this.#uid = uid
    this.#token = token
    this.#session = randomText(16)
    this.#sequence = 0
    return new Promise((resolve, reject) => {
      this.#login = { resolve, reject }
      this.#set(State.connecting)
      this.#connect()
    })
  }

  logout() {
    if (this.#uid === null) return
    if (this.#state === State.connected) this.#write({ type: 'logout' })
    this.#end(null)
  }

  /**
   * Hands a text to a user, now or as soon as the connection is there again; resolves when its client has it. After
   * `timeToLive` milliseconds (15 s if that is null) it fails, and is not delivered later.
   */
  send(message, to, { timeToLive } = {}) {
    const byteCount = new TextEncoder().encode(message).length
    if (this.#uid === null) return Promise.reject(notLoggedIn())
    if (!isUID(to)) return Promise.reject(refusal(`${to} is not a user's number; use 1 to 4294967295.`))
    if (byteCount > maximumByteCount) {
      return Promise.reject(refusal(`The message has ${byteCount} bytes; shorten it to ${maximumByteCount}.`))
    }
    if (message.includes('\0')) {
      return Promise.reject(refusal('The message has a character U+0000 in it; take it out.'))
    }
    return this.#add({ type: 'send', to, message }, timeToLive ?? defaultTimeToLive)
  }

  /** Tells the server about a call: `{ callId, kind, costs, quality }`; resolves when the server has it. */
  report(report) { return this.#add({ ...report, type: 'report' }) }

  /** Goes on with another token, and uses it for later logins; resolves when the server has taken it. */
  renewToken(token) {
    if (this.#uid !== null) this.#token = token
    return this.#add({ type: 'renewToken', token })
  }

  #add(request, timeToLive = defaultTimeToLive) {
    if (this.#uid === null) return Promise.reject(notLoggedIn())
    if (!this.#hasRoom(request)) {
      return Promise.reject(
        refusal(`${this.#pending.size} messages are still waiting for an answer; send more slowly.`))
    }
    const requestID = ++this.#requestCount
    return new Promise((resolve, reject) => {
      const late = () => this.#answer(requestID, this.#state === State.connected ? timedOut() : connectionLost())
      const life = Math.min(timeToLive, maximumTimeToLive)
      const entry = { request, expiry: performance.now() + life, timer: setTimeout(late, life), resolve, reject }
      this.#pending.set(requestID, entry)
      if (this.#state === State.connected) this.#writePending(requestID, entry)
    })
  }

  /**
   * Whether one more message may wait. A text may if what is left free then is at least as much as what waits for its receiver:
   * receivers that never confirm anything leave room for others. What goes to the server alone may take the rest.
   */
  #hasRoom({ to }) {
    const freeCount = maximumPendingCount - this.#pending.size - 1
    if (to === undefined) return freeCount >= 0
    let share = 0
    for (const { request } of this.#pending.values()) if (request.to === to) share++
    return share + 1 <= freeCount
  }

  #writePending(requestID, { request, expiry }) {
    if (request.type !== 'send') return this.#write({ ...request, requestID })
    const left = Math.floor(expiry - performance.now())
    if (left > 0) this.#write({ ...request, requestID, timeToLive: left })
  }

  #write(request) { this.#socket?.send(JSON.stringify(request)) }

  #connect() {
    const socket = new WebSocket(this.#url)
    const ifCurrent = (body) => (event) => { if (socket === this.#socket) body(event) }
    this.#socket = socket
    this.#complaint = null
    socket.onopen = ifCurrent(() =>
      this.#write({
        type: 'login', version: 1, uid: this.#uid, token: this.#token, session: this.#session, sequence: this.#sequence,
      }))
    socket.onmessage = ifCurrent(({ data }) => this.#take(data))
    socket.onclose = ifCurrent(() => this.#lose(this.#complaint ?? (this.#login ? unreachable() : connectionLost())))
    this.#later(2 * answerTimeout, () => this.#lose(timedOut()))
  }

  #later(milliseconds, body) {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(body, milliseconds)
  }

  #take(data) {
    let response
    try { response = JSON.parse(data) } catch { return }
    const { type, requestID, code, message } = response ?? {}
    this.#complaint = null
    switch (type) {
      case 'loggedIn': return this.#loggedIn()
      case 'delivered': case 'updated': return this.#answer(requestID, null)
      case 'message': return this.#received(response)
      case 'tokenWillExpire': return this.onTokenWillExpire()
      case 'removed': return this.#end(new SignalError(message, code))
      case 'error': return this.#refused(new SignalError(message, code), requestID)
    }
  }

  #loggedIn() {
    if (this.#state === State.connected) return
    clearTimeout(this.#timer)
    this.#failureCount = 0
    this.#set(State.connected)
    this.#login?.resolve()
    this.#login = null
    // Whoever has got them already knows them again by their numbers.
    for (const [requestID, entry] of this.#pending) this.#writePending(requestID, entry)
  }

  #received({ message, from, sequence, messageID }) {
    if (this.#state !== State.connected) return
    const socket = this.#socket
    let isNew = true
    if (sequence !== undefined) {
      isNew = sequence > this.#sequence
      this.#sequence = Math.max(this.#sequence, sequence)
    }
    if (messageID !== undefined && !this.#recent.insert(from, messageID)) isNew = false
    // Confirmed even if the page's handler fails: it would fail again.
    try {
      if (isNew) this.onMessage(message, from)
    } finally {
      if (sequence !== undefined && socket === this.#socket) this.#write({ type: 'received', sequence: this.#sequence })
    }
  }

  #refused(error, requestID) {
    if (requestID !== undefined) return this.#answer(requestID, error)
    // While logged in it says why the connection is closed next.
    if (this.#state === State.connected) this.#complaint = error
    else this.#end(error)
  }

  #answer(requestID, error) {
    const entry = this.#pending.get(requestID)
    if (!entry) return
    this.#pending.delete(requestID)
    clearTimeout(entry.timer)
    if (!error) return entry.resolve()
    const { to } = entry.request
    entry.reject(
      error.code === userOffline && to !== undefined
        ? new SignalError(`User ${to} is not logged in; try again later.`, userOffline) : error)
  }

  /** The connection is gone or was never there: a first login fails, a later one is tried again. */
  #lose(error) {
    if (this.#state === State.connecting) return this.#end(error)
    this.#drop()
    if (this.#state !== State.reconnecting) this.#set(State.reconnecting, error)
    // Half to whole of 0.2 s, doubling: not all clients of a server come back at once.
    const pause = Math.min(200 * 2 ** this.#failureCount++, maximumPause)
    this.#later(pause / 2 + Math.random() * pause / 2, () => this.#connect())
  }

  #end(cause) {
    const [waiting, login] = [[...this.#pending.keys()], this.#login]
    this.#drop()
    this.#uid = null
    this.#login = null
    this.#failureCount = 0
    this.#set(State.disconnected, cause)
    for (const requestID of waiting) this.#answer(requestID, notLoggedIn())
    login?.reject(cause ?? notLoggedIn())
  }

  #drop() {
    clearTimeout(this.#timer)
    const socket = this.#socket
    this.#socket = null
    socket?.close()
  }

  #set(state, cause = null) {
    if (state === this.#state && !cause) return
    this.#state = state
    // When this step is done, so that the page may log in or out at once; and if it fails, nothing is left undone here.
    queueMicrotask(() => this.onConnectionStateChanged(state, cause))
  }
}
