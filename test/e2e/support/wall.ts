import { waitFor } from '../../support/time/wait-for.ts'
import type { Builder, Placed } from './builder.ts'

const types = ['stone', 'dirt', 'planks', 'glass', 'air']

/** A builder who changes the same places repeatedly, and records their possible blocks. */
export type WallBuilding = {
  /** Answers since the last call, by reason; `ok` for accepted ones. */
  answers(): Readonly<Record<string, number>>
  /** The longest time to an answer, in milliseconds. */
  slowestMs(): number
  /** Resolves when an edit is accepted again, with the milliseconds from now. */
  untilTaken(withinMs: number): Promise<number>
  /** Stops after the pending answer. */
  stop(): Promise<void>
  /** Whether the blocks match the last confirmed edit, or a later unanswered one. */
  mayBe(found: readonly (string | undefined)[]): boolean
}

/** Edits `places` without end, all in one edit, so that the store must have all or nothing of it. */
export const buildOnAndOn = (builder: Builder, places: readonly Omit<Placed, 'type'>[], pauseMs = 50): WallBuilding => {
  let possible = new Set(['air'])
  let counts: Record<string, number> = {}
  let slowest = 0
  let taken = 0
  let isOver = false

  const work = async (): Promise<void> => {
    for (let turn = 0; !isOver && builder.isOpen(); turn += 1) {
      const type = types[turn % types.length] ?? 'stone'
      const before = new Set(possible)
      possible.add(type)
      const askedMs = performance.now()
      const answer = await builder.edit(places.map((place) => ({ ...place, type })))
      if (answer === undefined) return
      slowest = Math.max(slowest, performance.now() - askedMs)
      possible = answer.ok ? new Set([type]) : before
      taken += answer.ok ? 1 : 0
      const key = answer.ok ? 'ok' : answer.reason
      counts[key] = (counts[key] ?? 0) + 1
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  const working = work()

  return {
    answers: () => {
      const result = counts
      counts = {}
      return result
    },
    slowestMs: () => Math.round(slowest),
    untilTaken: async (withinMs) => {
      const sinceMs = performance.now()
      const before = taken
      await waitFor(() => taken > before, withinMs)
      return Math.round(performance.now() - sinceMs)
    },
    stop: () => {
      isOver = true
      return working
    },
    mayBe: (found) => new Set(found).size === 1 && possible.has(found[0] ?? ''),
  }
}
