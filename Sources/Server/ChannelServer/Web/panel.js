// One part of the page: a session with the server, and a line that says how it stands.

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** The first pause before joining again, and the longest, in milliseconds. */
const [shortestPause, longestPause] = [500, 8_000]

/** Statuses of a server that is not there or full: another time it may be different. 0 is no answer. */
const passing = [0, 429, 502, 503, 504]

// Of `EngineErrorCode`.
const sameUIDLogin = 1019
/** Of a token that is for another application, has ended, or is missing or no good. */
const tokenProblems = [101, 109, 110]

/**
 * At most one session. When the server has lost it, it is begun again, with growing pauses; not when the server says by a
 * code why it has ended it: somebody wanted that.
 */
export class Panel {
  #session = null
  #starting = null
  #text = () => ''

  /** `onEnd()` is called when there is no session any longer, `onRefused()` when a token is wanted. */
  constructor(status, { onEnd = () => {}, onRefused = () => {} } = {}) {
    this.status = status
    this.onEnd = onEnd
    this.onRefused = onRefused
  }

  get session() { return this.#session }

  say(text, isProblem = false) {
    this.status.textContent = text
    this.status.classList.toggle('problem', isProblem)
  }

  /**
   * Begins a session instead of the present one. `begin(signal, isAgain)` makes it, `signal` (of an AbortController) says when
   * nobody wants it any longer; `text(session)` is what is said while it is connected, and `told` what `follow` of a session
   * takes.
   */
  async start(begin, text, told = {}) {
    this.stop()
    const starting = new AbortController()
    this.#starting = starting
    this.#text = text
    this.say('Connecting …')
    try {
      await this.#join(() => begin(starting.signal, false), told, starting)
    } catch (error) {
      return this.#fail(error, starting)
    }
    while (!starting.signal.aborted) {
      const error = await this.#session.ended
      if (starting.signal.aborted) return
      if (error?.code > 0) return this.#fail(error, starting)
      this.#session = null
      this.say('The server has lost the connection; joining again …', true)
      if (!await this.#joinAgain(() => begin(starting.signal, true), told, starting)) return
    }
  }

  /** Whether that has worked; if not, it has been said. */
  async #joinAgain(begin, told, starting) {
    for (let pause = shortestPause; ; pause = Math.min(2 * pause, longestPause)) {
      // Half to whole: not all pages of a server come back at once.
      await wait(pause / 2 + Math.random() * pause / 2)
      if (starting.signal.aborted) return false
      try {
        await this.#join(begin, told, starting)
        return !starting.signal.aborted
      } catch (error) {
        if (starting.signal.aborted) return false
        if (!passing.includes(error.status)) {
          this.#fail(error, starting)
          return false
        }
        this.say(`${error.message} Trying by itself …`, true)
      }
    }
  }

  async #join(begin, told, starting) {
    const session = await begin()
    if (starting.signal.aborted) return session.close()
    this.#session = session
    session.follow(told)
    session.connection.onconnectionstatechange = () => this.show(session)
    this.show(session)
  }

  #fail(error, starting) {
    if (starting.signal.aborted) return
    const wantsToken = [401, 403].includes(error.status) || tokenProblems.includes(error.code)
    this.stop()
    if (wantsToken) this.onRefused()
    const isReplaced = error.code === sameUIDLogin
    const text = isReplaced ? 'Another page or device has come with this user number and has taken its place.' : error.message
    this.say(wantsToken ? `${text} Enter a token for it above.` : text, true)
  }

  /** Says how the session stands. */
  show(session = this.#session) {
    if (!session || session !== this.#session) return
    const state = session.connection.connectionState
    if (state === 'connected') this.say(this.#text(session))
    // The session looks for another path by itself, until the server says that it has ended.
    if (state === 'disconnected' || state === 'failed') this.say('The connection is interrupted …', true)
  }

  stop() {
    this.#starting?.abort()
    this.#session?.close()
    this.#session = null
    this.say('')
    this.onEnd()
  }
}
