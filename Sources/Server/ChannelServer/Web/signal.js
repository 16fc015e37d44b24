// Texts between users, by the server's WebSocket at /v1/signal (docs/protocol.md).

/** Whether a `SignalClient` can send and receive. */
export const SignalConnectionState = Object.freeze({
  disconnected: 'disconnected', connecting: 'connecting', connected: 'connected', reconnecting: 'reconnecting',
})

/** Why logging in or sending failed: the server's code, or -1 for what this side found by itself, and a sentence. */
export class SignalError extends Error {
  constructor(message, code = -1) {
    super(message)
    this.code = code
  }
}

const State = SignalConnectionState
const answerTimeout = 5_000
const maximumPause = 6_400
const maximumByteCount = 32_768
const userOffline = 1404
const isUID = (uid) => Number.isSafeInteger(uid) && uid >= 1 && uid <= 4_294_967_295

const notLoggedIn = () => new SignalError('Not logged in for signalling; log in first.')
const connectionLost = () =>
  new SignalError('The connection to the signalling server was lost; it is being made again. Try again.')
const timedOut = () => new SignalError('The signalling server has not answered in time; try again.')

/**
 * Logs in once, and again by itself with growing pauses when the connection is lost. Texts that were waiting for an
 * answer then fail: they may or may not have arrived.
 */
export class SignalClient {
  #url
  #socket = null
  #uid = null
  #token = ''
  #state = State.disconnected
  #login = null
  #pending = new Map()
  #requestCount = 0
  #failureCount = 0
  #complaint = null
  #timer = null

  /** Called with a text and its sender, for whom the server vouches. */
  onMessage = () => {}
  /** Called with the new state, and with its cause where it was not this side's wish. */
  onConnectionStateChanged = () => {}

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
    if (!isUID(uid)) return Promise.reject(new SignalError(`${uid} is not a user's number; use 1 to 4294967295.`))
    this.#uid = uid
    this.#token = token
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

  /** Hands a text to a user; resolves when its connection has it. */
  send(message, to) {
    const byteCount = new TextEncoder().encode(message).length
    if (this.#uid === null) return Promise.reject(notLoggedIn())
    if (!isUID(to)) return Promise.reject(new SignalError(`${to} is not a user's number; use 1 to 4294967295.`))
    if (byteCount > maximumByteCount) {
      return Promise.reject(new SignalError(`The message has ${byteCount} bytes; shorten it to ${maximumByteCount}.`))
    }
    if (this.#state !== State.connected) return Promise.reject(connectionLost())
    const requestID = ++this.#requestCount
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#answer(requestID, timedOut()), answerTimeout)
      this.#pending.set(requestID, { to, timer, resolve, reject })
      this.#write({ type: 'send', requestID, to, message })
    })
  }

  #write(request) { this.#socket?.send(JSON.stringify(request)) }

  #connect() {
    const socket = new WebSocket(this.#url)
    const ifCurrent = (body) => (event) => { if (socket === this.#socket) body(event) }
    this.#socket = socket
    this.#complaint = null
    socket.onopen = ifCurrent(() => this.#write({ type: 'login', version: 1, uid: this.#uid, token: this.#token }))
    socket.onmessage = ifCurrent(({ data }) => this.#take(data))
    socket.onclose = ifCurrent(() => this.#lose(this.#complaint ?? connectionLost()))
    this.#later(2 * answerTimeout, () => this.#lose(timedOut()))
  }

  #later(milliseconds, body) {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(body, milliseconds)
  }

  #take(data) {
    let response
    try { response = JSON.parse(data) } catch { return }
    const { type, requestID, code, message, from } = response ?? {}
    this.#complaint = null
    switch (type) {
      case 'loggedIn':
        clearTimeout(this.#timer)
        this.#failureCount = 0
        this.#set(State.connected)
        this.#login?.resolve()
        this.#login = null
        break
      case 'delivered': return this.#answer(requestID, null)
      case 'message': return this.onMessage(message, from)
      case 'removed': return this.#end(new SignalError(message, code))
      case 'error': return this.#refused(new SignalError(message, code), requestID)
    }
  }

  #refused(error, requestID) {
    if (requestID !== undefined) return this.#answer(requestID, error)
    // While logged in it says why the connection is closed next.
    if (this.#state === State.connected) this.#complaint = error
    else this.#end(error)
  }

  #answer(requestID, error) {
    const request = this.#pending.get(requestID)
    if (!request) return
    this.#pending.delete(requestID)
    clearTimeout(request.timer)
    if (!error) return request.resolve()
    request.reject(
      error.code === userOffline
        ? new SignalError(`User ${request.to} is not logged in; try again later.`, userOffline) : error)
  }

  /** The connection is gone or was never there: a first login fails, a later one is tried again. */
  #lose(error) {
    if (this.#state === State.connecting) {
      return this.#end(new SignalError(`The signalling server cannot be reached. ${error.message}`))
    }
    this.#drop()
    if (this.#state !== State.reconnecting) this.#set(State.reconnecting, error)
    this.#failPending(connectionLost())
    // Half to whole of 0.2 s, doubling: not all clients of a server come back at once.
    const pause = Math.min(200 * 2 ** this.#failureCount++, maximumPause)
    this.#later(pause / 2 + Math.random() * pause / 2, () => this.#connect())
  }

  #end(cause) {
    this.#drop()
    this.#uid = null
    this.#failureCount = 0
    this.#set(State.disconnected, cause)
    this.#failPending(notLoggedIn())
    this.#login?.reject(cause ?? notLoggedIn())
    this.#login = null
  }

  #drop() {
    clearTimeout(this.#timer)
    const socket = this.#socket
    this.#socket = null
    socket?.close()
  }

  #failPending(error) {
    for (const requestID of [...this.#pending.keys()]) this.#answer(requestID, error)
  }

  #set(state, cause = null) {
    if (state === this.#state && !cause) return
    this.#state = state
    this.onConnectionStateChanged(state, cause)
  }
}
