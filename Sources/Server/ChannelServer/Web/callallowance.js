// How many calls of others may have an effect. The same as Sources/Calls/CallAPI/CallAllowance.swift.

/** Milliseconds a call of one caller, and how many of them may come at once. */
const callerInterval = 300, callerBurst = 3
/** Most callers that are remembered. */
const callerLimit = 64

/**
 * Whoever is called often must not be led to send so much that the server puts it off for that. Two leaky buckets, each kept
 * as the time at which it is empty: one for everybody, one for each of the last callers.
 */
export class CallAllowance {
  /** Milliseconds after which one more call may come, and how many may come at once. */
  #interval
  #burst
  #emptyTime = -Infinity
  /** By uid, in the order of their last calls. */
  #callers = new Map()

  constructor(interval, burst) {
    this.#interval = interval
    this.#burst = burst
  }

  /**
   * Calls that ring: an application may answer each at once with up to two messages, and send two reports. One beyond that
   * is refused.
   */
  static ringing() { return new CallAllowance(150, 10) }

  /** Calls that are refused without asking anybody. One beyond that is refused in silence: its caller hears nothing. */
  static refusals() { return new CallAllowance(50, 20) }

  /** Whether one more call of `caller` may count at `now`, in milliseconds. */
  has(caller, now) {
    const callersTime = this.#callers.get(caller) ?? now
    return callersTime - now <= callerInterval * (callerBurst - 1)
      && this.#emptyTime - now <= this.#interval * (this.#burst - 1)
  }

  /** The same; takes it if so. */
  take(caller, now) {
    for (const [uid, time] of this.#callers) if (time <= now) this.#callers.delete(uid)
    if (!this.has(caller, now)) return false
    this.#emptyTime = Math.max(this.#emptyTime, now) + this.#interval
    const callersTime = this.#callers.get(caller) ?? now
    if (!this.#callers.delete(caller) && this.#callers.size >= callerLimit) {
      this.#callers.delete(this.#callers.keys().next().value)
    }
    this.#callers.set(caller, callersTime + callerInterval)
    return true
  }
}
