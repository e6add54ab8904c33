import { setTimeout as pause } from 'node:timers/promises'
import type { Services } from '../../shared/services/services.ts'
import { goingAway, handedOver } from '../socket/closing.ts'
import type { RunningGame } from './running-game.ts'
import type { Successors } from './successors.ts'

export type HandOverDeps = Pick<Services, 'events' | 'clock' | 'log'> & {
  readonly nodeId: string
  readonly successors: Successors
  readonly drainLimitMs: number
  /** Called once this node runs the world no more, while its players are still connected. */
  readonly worldGone: () => void
}

/** Of the time to stop: for what is under way to be finished. */
const graceShare = 0.4
/** Of the time to stop: for the world to be let go. Later than that, players are told to go before it is. */
const letGoShare = 0.7
/** For another node to take the world: at the most, and of the time that is left. */
const successorMsMax = 5000
const successorShare = 0.5

const isWithin = async (limitMs: number, work: Promise<true>): Promise<boolean> => {
  const over = new AbortController()
  const limit = pause(limitMs, false, { signal: over.signal }).catch(() => false)
  const isDone = await Promise.race([work, limit])
  over.abort()
  return isDone
}

/**
 * Lets the world go, waits for who takes it where somebody is expected to, and sends the players there, else away for a few seconds.
 * Resolves when all of them are gone and the world is let go, which may take longer where the store does not answer; never rejects.
 */
export const handOver = async (game: RunningGame, deps: HandOverDeps): Promise<void> => {
  const { events, clock, log, nodeId, successors, drainLimitMs, worldGone } = deps
  const deadlineMs = clock.monotonic() + drainLimitMs
  const isExpected = successors.isExpected(game)
  const findSuccessor = async (): Promise<string | undefined> => {
    const leftMs = Math.max(0, deadlineMs - clock.monotonic())
    return (await isExpected) ? successors.find(game, Math.min(successorMsMax, leftMs * successorShare)) : undefined
  }
  const lettingGo = game
    .letGo(drainLimitMs * graceShare)
    .catch((error: unknown) => log.error({ err: error }, 'the world was not let go in order'))
    .then((): true => {
      worldGone()
      void events.publish('world-released', { world: game.worldName, nodeId })
      return true
    })
  // Players are told to go all the same.
  const url = (await isWithin(drainLimitMs * letGoShare, lettingGo)) ? await findSuccessor() : undefined
  await game.close({ closingOf: (share) => (url === undefined ? goingAway() : handedOver(url, share)) })
  await lettingGo
}
