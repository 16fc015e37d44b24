// The last calls that are over for this user: a message of theirs may still come, late or again. The same as
// Sources/Calls/CallAPI/EndedCalls.swift.

/**
 * Most calls that are remembered of those that this user has taken part in: more than may ring (`CallAllowance.ringing`) while
 * a text is worth delivering; and of others.
 */
const ownLimit = 128, limitOfOthers = 16

/**
 * Everybody may call, so what others can add has places of its own: however many of them call or give up, the calls that
 * this user has taken part in are remembered. A call is named by its id and by who it was with: nobody can declare
 * another's call over.
 */
export class EndedCalls {
  /** Calls that this user made, or that rang here. */
  #own = new Set()
  /** Calls that were refused, or that were given up before they came. */
  #others = new Set()

  /** Whether a call with `peer` is over. A call without an id never is. */
  has(callID, peer) { return this.hasOwn(callID, peer) || this.#others.has(name(callID, peer)) }

  /** Whether a call with `peer` is over that this user has taken part in. */
  hasOwn(callID, peer) { return this.#own.has(name(callID, peer)) }

  /** A call that this user has taken part in is over. */
  add(callID, peer) { insert(callID, peer, this.#own, ownLimit) }

  /** A call that has not rung here is over. */
  addUnheard(callID, peer) { if (!this.has(callID, peer)) insert(callID, peer, this.#others, limitOfOthers) }
}

const name = (callID, peer) => `${peer} ${callID}`

function insert(callID, peer, calls, limit) {
  const call = name(callID, peer)
  if (callID === '' || calls.has(call)) return
  // Sets keep the order in which things came.
  if (calls.size >= limit) calls.delete(calls.values().next().value)
  calls.add(call)
}
