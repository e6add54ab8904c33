import type { Hud } from '../../state/hud.ts'
import type { Settings } from '../../state/settings.ts'

/** Selects the screen frames to draw. */
export type Pace = {
  /** Whether a frame is due, at most `framesMax` a second; 0 for no limit. */
  isDue(nowMs: number, framesMax: number): boolean
}

/** Screen frames come slightly early or late. */
const jitterMs = 4

export const createPace = (): Pace => {
  let dueMs = 0
  return {
    isDue: (nowMs, framesMax) => {
      const gapMs = framesMax === 0 ? 0 : 1000 / framesMax
      // After a long pause or a higher limit, draws at once.
      if (dueMs > nowMs + gapMs) dueMs = nowMs
      if (nowMs < dueMs - jitterMs) return false
      dueMs = Math.max(dueMs + gapMs, nowMs)
      return true
    },
  }
}

/** Saves power while a menu covers the game. */
const restingFrames = 15

/** The wanted frame rate: lower behind a menu, as set behind a curtain. */
export const limitFrames = ({ screen, curtain }: Hud, { framesMax }: Settings): number => {
  const isResting = screen.value === 'pause' || screen.value === 'settings' || screen.value === 'why'
  if (!isResting || curtain.value.kind !== 'none') return framesMax
  return framesMax === 0 ? restingFrames : Math.min(framesMax, restingFrames)
}
