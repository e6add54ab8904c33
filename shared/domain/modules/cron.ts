import { Cron } from 'croner'

/** When a schedule runs. */
export type Schedule = {
  /** Whether a run is due. Each run is due once. A run that was missed by more than a minute is left out. */
  isDue(nowMs: number): boolean
}

const missedMs = 60_000

/**
 * Reads a cron expression of five fields, in the time zone of the process. When the clock goes back an hour, a run at a fixed time is
 * not repeated. When it goes forward, a skipped run is due at the next minute. Throws an error that names the wrong field.
 */
export const createSchedule = (expression: string, startMs: number): Schedule => {
  const times = new Cron(expression, { mode: '5-part', paused: true })
  const after = (ms: number): number => times.nextRun(new Date(ms))?.getTime() ?? Number.POSITIVE_INFINITY
  let next = after(startMs)
  return {
    isDue: (nowMs) => {
      if (nowMs < next) return false
      const isMissed = nowMs - next > missedMs
      next = after(nowMs)
      return !isMissed
    },
  }
}
