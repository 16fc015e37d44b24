// The order of all that concerns calls: requests, messages, timers and what happens in the channel.

/** Does one thing after another in the order in which they come, each only when the one before is done. */
export class CallQueue {
  #waiting = []
  #isBusy = false

  /** Does `task` now, or when all that came before is done. If it returns a promise, what comes after waits for that. */
  add(task) {
    this.#waiting.push(task)
    if (!this.#isBusy) this.#work()
  }

  #work() {
    this.#isBusy = true
    while (this.#waiting.length > 0) {
      const pending = this.#begin(this.#waiting.shift())
      // Computing keys takes a while.
      if (pending) return pending.catch(console.error).then(() => this.#work())
    }
    this.#isBusy = false
  }

  /** What goes wrong in one place must not stop all that comes after it. */
  #begin(task) {
    try { return task() } catch (error) { console.error(error) }
  }
}
