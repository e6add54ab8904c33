const missedPongsMax = 2

/** The signs of life of one client: what was asked for, and what came. A class, as whoever has it. */
export class Heartbeats {
  private missed = 0
  /** Pings of ours that were not answered yet. */
  private due = 0

  /** It gave no sign of life when it was asked twice. */
  isDead(): boolean {
    return this.missed >= missedPongsMax
  }

  asked(): void {
    this.missed += 1
    this.due += 1
  }

  /** Something came from the client. */
  heard(): void {
    this.missed = 0
  }

  /** A pong came; whether it answers a ping of ours, each of which has one answer. */
  answered(): boolean {
    this.missed = 0
    if (this.due === 0) return false
    this.due -= 1
    return true
  }
}
