import { setTimeout as pause } from 'node:timers/promises'
import type { Services } from '../../shared/services/wire-services.ts'
import { goingAway, handedOver } from '../socket/closing.ts'
import type { RunningGame } from './running-game.ts'
import type { Successors } from './successors.ts'

export type HandOverDeps = Pick<Services, 'events' | 'clock' | 'log'> & {
  readonly nodeId: string
  readonly successors: Successors
  readonly drainLimitMs: number
  /** Called when this node no longer runs the world, while its players are still connected. */
  readonly worldGone: () => void
}

/** The share of the time limit for finishing pending work. */
const graceShare = 0.4
/** The share of the time limit for releasing the world. After that, players are disconnected even if it is not released. */
const letGoShare = 0.7
/** The time for another node to take the world: a maximum, and a share of the remaining time. */
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
 * Releases the world, waits for its next node if one is expected, and sends the players there. Otherwise asks them to return in a
 * few seconds. Resolves when all players have left and the world is released, which may take longer if the store does not answer.
 * Never rejects.
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
    .letGo(
      drainLimitMs * graceShare,
      isExpected.then((expected) => (expected ? 'hand-over' : 'shutdown')),
    )
    .catch((error: unknown) => log.error({ err: error }, 'the world was not released properly'))
    .then((): true => {
      worldGone()
      void events.publish('world-released', { world: game.worldName, nodeId })
      return true
    })
  // Players are disconnected in any case.
  const url = (await isWithin(drainLimitMs * letGoShare, lettingGo)) ? await findSuccessor() : undefined
  await game.close({ closingOf: (share) => (url === undefined ? goingAway() : handedOver(url, share)) })
  await lettingGo
}
