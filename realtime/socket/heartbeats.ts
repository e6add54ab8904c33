/** Both must be true: pings of a new connection can be close together, and a process that stalled has not read the pongs yet. */
const missedPongsMax = 2
/** A little less than two rounds of pings, whose times vary. */
const silentMsMax = 29_500

/** The pings and answers of one client. A class, because there are thousands. */
export class Heartbeats {
  private missed = 0
  /** The number of unanswered pings. */
  private due = 0
  private askedAtMs = 0
  /** The time of the first ping since the client was heard. */
  private silentSinceMs = 0
  /** The duration of the last answer. Undefined before the first. */
  pingMs: number | undefined

  /** Whether the client has sent nothing for 30 seconds and two pings. */
  isDead(nowMs: number): boolean {
    return this.missed >= missedPongsMax && nowMs - this.silentSinceMs >= silentMsMax
  }

  asked(nowMs: number): void {
    if (this.missed === 0) this.silentSinceMs = nowMs
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
