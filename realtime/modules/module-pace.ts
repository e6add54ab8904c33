import type { LoadedSpec } from '../../shared/domain/modules/module-spec.ts'
import type { ModuleBudget } from '../../shared/domain/modules/modules-config.ts'

/** What the time of a module leads to. */
export type PaceChange = 'slowed' | 'slower' | 'recovered' | 'off'

/** The time that one module takes. Slow modules run less often, and are switched off in the end. */
export type ModulePace = {
  /** In which ticks its `tick`, timers and jobs run: every, every second or every fourth. */
  readonly every: () => 1 | 2 | 4
  /** A tick has passed. Returns a change, at most one a second. */
  tick(took: {
    readonly ranMs: number
    readonly longestMs: number
    readonly didRun: boolean
    readonly nowMs: number
  }): PaceChange | undefined
  /** The average time per tick that ran, in the last full second. */
  msPerTick(): number
  /** Why the module was slow in its last slow second, as part of a sentence. */
  reason(): string
}

/** A module is slowed after so many seconds above the average, and again after as many. */
const slowSeconds = 3
/** Seconds after slowing, still above the average, after which a module is switched off. */
const offSeconds = 60
/** Seconds below the average after which a slowed module runs in every tick again. */
const recoverSeconds = 10
const spikesAllowed = 5
const spikesWithinMs = 60_000

export const createModulePace = (
  budget: () => ModuleBudget,
  { tickMs: ownMsPerTick, isKept }: Pick<LoadedSpec, 'tickMs' | 'isKept'>,
): ModulePace => {
  let every: 1 | 2 | 4 = 1
  let secondStartMs = Number.NEGATIVE_INFINITY
  let sumMs = 0
  let ticksRan = 0
  let lastAverage = 0
  let slowFor = 0
  let fineFor = 0
  let slowSinceSlowed = 0
  let spikes: number[] = []
  let reason = ''

  const endSecond = (nowMs: number): PaceChange | undefined => {
    const { msPerTick, spikeMs, keep } = budget()
    const limit = Math.min(msPerTick, ownMsPerTick ?? msPerTick)
    lastAverage = ticksRan === 0 ? 0 : sumMs / ticksRan
    sumMs = 0
    ticksRan = 0
    secondStartMs = nowMs
    spikes = spikes.filter((atMs) => nowMs - atMs < spikesWithinMs)
    const hasSpikes = spikes.length >= spikesAllowed
    const isOverAverage = lastAverage > limit
    const isSlow = isOverAverage || hasSpikes
    if (isOverAverage) reason = `it takes ${lastAverage.toFixed(1)} ms per tick, more than ${limit} ms`
    else if (hasSpikes) reason = `it took more than ${spikeMs} ms at once, ${spikes.length} times in a minute`
    slowFor = isSlow ? slowFor + 1 : 0
    fineFor = isSlow ? 0 : fineFor + 1
    if (every === 1) {
      if (slowFor < slowSeconds && !(hasSpikes && slowFor > 0)) return undefined
      every = 2
      slowFor = 0
      slowSinceSlowed = 0
      spikes = []
      return 'slowed'
    }
    slowSinceSlowed = isSlow ? slowSinceSlowed + 1 : slowSinceSlowed
    if (fineFor >= recoverSeconds) {
      every = 1
      slowSinceSlowed = 0
      return 'recovered'
    }
    if (every === 2 && slowFor >= slowSeconds) {
      every = 4
      return 'slower'
    }
    if (slowSinceSlowed < offSeconds || keep || isKept) return undefined
    slowSinceSlowed = 0
    return 'off'
  }

  return {
    every: () => every,
    tick: ({ ranMs, longestMs, didRun, nowMs }) => {
      if (secondStartMs === Number.NEGATIVE_INFINITY) secondStartMs = nowMs
      sumMs += ranMs
      if (didRun || ranMs > 0) ticksRan += 1
      if (longestMs > budget().spikeMs) spikes.push(nowMs)
      return nowMs - secondStartMs >= 1000 ? endSecond(nowMs) : undefined
    },
    msPerTick: () => lastAverage,
    reason: () => reason,
  }
}
