// How many calls may be refused without asking anybody. The same as Sources/Calls/CallAPI/AutomaticAnswers.swift.

/** Milliseconds an answer, and how many may come at once: for everybody, and for one caller. */
const interval = 50, burst = 20, callerInterval = 300, callerBurst = 3
/** Most callers that are remembered. */
const callerLimit = 64

/**
 * So that who is flooded with calls does not flood the server with answers, which would put it off there. A call beyond that
 * is refused in silence: its caller hears nothing. Two leaky buckets, each kept as the time at which it is empty.
 */
export class AutomaticAnswers {
  #emptyTime = -Infinity
  /** By uid, in the order of their last answers. */
  #callers = new Map()

  /** Whether one more call of `caller` may be answered at `now`, in milliseconds; counts it if so. */
  take(caller, now) {
    for (const [uid, time] of this.#callers) if (time <= now) this.#callers.delete(uid)
    const callersTime = this.#callers.get(caller) ?? now
    const ownTime = Math.max(this.#emptyTime, now)
    if (callersTime - now > callerInterval * (callerBurst - 1) || ownTime - now > interval * (burst - 1)) return false
    this.#emptyTime = ownTime + interval
    if (!this.#callers.delete(caller) && this.#callers.size >= callerLimit) {
      this.#callers.delete(this.#callers.keys().next().value)
    }
    this.#callers.set(caller, callersTime + callerInterval)
    return true
  }
}
