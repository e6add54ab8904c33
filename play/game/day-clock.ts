import type { ReadonlySignal } from '@preact/signals'
import type { Settings } from '../state/settings.ts'

/** The time of day, the same for all players, from the server's clock. */
export type DayClock = {
  /** Sets the server's time, in milliseconds since the Unix epoch. */
  tell(serverMs: number): void
  /** From 0 to 24. */
  hour(): number
}

const dayMs = 40 * 60_000
/** The part of a day from sunrise to sunset. */
const lightShare = 0.75
/** Ignores differences that come from network delay. */
const toleratedMs = 2_000

const fixedHours: Readonly<Record<Exclude<Settings['daylight'], 'passes'>, number>> = { noon: 11, evening: 17.5, night: 23 }

/** A day begins at sunrise and lasts forty minutes, a quarter of it night. */
const hourAt = (serverMs: number): number => {
  const part = (((serverMs % dayMs) + dayMs) % dayMs) / dayMs
  const sinceSunrise = part < lightShare ? (part / lightShare) * 12 : 12 + ((part - lightShare) / (1 - lightShare)) * 12
  return (6 + sinceSunrise) % 24
}

export const createDayClock = (settings: ReadonlySignal<Settings>, now: () => number = Date.now): DayClock => {
  let aheadMs = 0
  return {
    tell: (serverMs) => {
      const found = serverMs - now()
      if (Math.abs(found - aheadMs) > toleratedMs) aheadMs = found
    },
    hour: () => {
      const { daylight } = settings.value
      return daylight === 'passes' ? hourAt(now() + aheadMs) : fixedHours[daylight]
    },
  }
}
