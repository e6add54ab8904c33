const missedPongsMax = 2

/** The signs of life of one client: what was asked for, and what came. A class, as whoever has it. */
export class Heartbeats {
  private missed = 0
  /** Pings of ours that were not answered yet. */
  private due = 0
  private askedAtMs = 0
  /** How long the last answer took; undefined before the first. */
  pingMs: number | undefined

  /** It gave no sign of life when it was asked twice. */
  isDead(): boolean {
    return this.missed >= missedPongsMax
  }

  asked(nowMs: number): void {
    this.missed += 1
    this.askedAtMs = nowMs
    this.due += 1
  }

  /** Something came from the client. */
  heard(): void {
    this.missed = 0
  }

  /** A pong came; whether it answers a ping of ours, each of which has one answer. */
  answered(nowMs: number): boolean {
    this.missed = 0
    if (this.due === 0) return false
    this.due -= 1
    // Of several that are due it answers an older one.
    if (this.due === 0) this.pingMs = Math.round(nowMs - this.askedAtMs)
    return true
  }
}
