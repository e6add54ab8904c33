const missedPongsMax = 2

/** The pings and answers of one client. A class, because there are thousands. */
export class Heartbeats {
  private missed = 0
  /** The number of unanswered pings. */
  private due = 0
  private askedAtMs = 0
  /** The duration of the last answer. Undefined before the first. */
  pingMs: number | undefined

  /** Whether the client did not answer two pings. */
  isDead(): boolean {
    return this.missed >= missedPongsMax
  }

  asked(nowMs: number): void {
    this.missed += 1
    this.askedAtMs = nowMs
    this.due += 1
  }

  /** The client has sent something. */
  heard(): void {
    this.missed = 0
  }

  /** Handles a pong. Returns whether it answers a ping of the server; each ping has one answer. */
  answered(nowMs: number): boolean {
    this.missed = 0
    if (this.due === 0) return false
    this.due -= 1
    // With several unanswered pings, the pong answers an older one.
    if (this.due === 0) this.pingMs = Math.round(nowMs - this.askedAtMs)
    return true
  }
}
