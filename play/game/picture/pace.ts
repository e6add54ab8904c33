import type { Hud } from '../../state/hud.ts'
import type { Settings } from '../../state/settings.ts'

/** Which of the screen's pictures are drawn. */
export type Pace = {
  /** Whether one is due, at most `framesMax` a second; 0 for as many as the screen shows. */
  isDue(nowMs: number, framesMax: number): boolean
}

/** A screen's pictures come a little early or late. */
const jitterMs = 4

export const createPace = (): Pace => {
  let dueMs = 0
  return {
    isDue: (nowMs, framesMax) => {
      const gapMs = framesMax === 0 ? 0 : 1000 / framesMax
      // Who was away for long, or asks for more than before, does not wait.
      if (dueMs > nowMs + gapMs) dueMs = nowMs
      if (nowMs < dueMs - jitterMs) return false
      dueMs = Math.max(dueMs + gapMs, nowMs)
      return true
    },
  }
}

/** Nobody plays behind a card: the machine shall rest. */
const restingFrames = 15

/** How many pictures a second are wanted: fewer behind a card, as many as set behind a curtain. */
export const limitFrames = ({ screen, curtain }: Hud, { framesMax }: Settings): number => {
  const isResting = screen.value === 'pause' || screen.value === 'settings' || screen.value === 'why'
  if (!isResting || curtain.value.kind !== 'none') return framesMax
  return framesMax === 0 ? restingFrames : Math.min(framesMax, restingFrames)
}
