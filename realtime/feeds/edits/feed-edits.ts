import type { LoadedWorld } from '../../world/columns/loaded-world.ts'
import type { EditJournal } from '../../world/edits/edit-journal.ts'
import type { FeedAudit } from '../feed-audit.ts'
import type { FeedEdit, FeedResult } from '../feed-messages.ts'
import type { FeedSocket } from '../feed-socket.ts'
import { changesAnything, type FeedEditPreparation, type ReadyEdit, type RefusedEdit, refusedBecause } from './prepare-edit.ts'
import { columnsTouched } from './read-feed-edits.ts'

/** The maximum number of waiting edits and blocks of one feed. Further edits are refused. */
const waitingMax = { edits: 256, blocks: 65_536 }

/** The maximum number of columns that edits of all feeds keep in memory. A single edit may use more. */
const columnsMax = 2048

/**
 * Limits for blocks of all feeds: changed in one tick, and waiting to be stored. Half of the capacity of the journal is reserved
 * for players.
 */
const blocksPerTick = 8192
const unsettledMax = 16_384

/** Edits through feeds. Edits of one feed stay in order. Each gets one `result` when it is durable, undone or refused. */
export type FeedEdits = {
  submit(socket: FeedSocket, edit: FeedEdit): void
  /** Drops edits of a closed feed that have not started. */
  forget(socket: FeedSocket): void
  /** Applies prepared edits. Runs within a tick, before the journal steps. */
  step(): void
}

export type FeedEditsDeps = {
  readonly journal: Pick<EditJournal, 'findRefusal' | 'apply'>
  readonly audit: Pick<FeedAudit, 'undone'>
  readonly loaded: Pick<LoadedWorld, 'blockAt'>
  readonly findRefusal: (socket: FeedSocket) => string | undefined
  /** Whether a block of the edit is no longer in the zone since the edit was prepared. */
  readonly isLeftOutside: (ready: ReadyEdit) => boolean
  readonly preparation: FeedEditPreparation
  /** Runs `then` or `failed` in a later tick. */
  readonly later: <T>(work: Promise<T>, then: (result: T) => void, failed: (error: unknown) => void) => void
}

/** A queued edit. */
type Waiting = {
  readonly socket: FeedSocket
  readonly edit: FeedEdit
  readonly columns: number
  isBegun: boolean
  outcome: ReadyEdit | RefusedEdit | undefined
}

const resultOf = ({ ref }: FeedEdit, { reason, rejected }: RefusedEdit): FeedResult => ({
  type: 'result',
  ref,
  ok: false,
  applied: 0,
  rejected: [...rejected],
  ...(reason === undefined ? {} : { reason }),
})

const countBlocks = (queue: readonly Waiting[]): number => queue.reduce((sum, { edit }) => sum + edit.edits.length, 0)

export const createFeedEdits = (deps: FeedEditsDeps): FeedEdits => {
  const { journal, audit, loaded, findRefusal, isLeftOutside, preparation, later } = deps
  const queues = new Map<FeedSocket, Waiting[]>()
  /** The order of arrival across all feeds. An edit that holds columns never waits for one that holds none. */
  let unbegun: Waiting[] = []
  let columnsHeld = 0
  let unsettled = 0

  /** The queue of the feed waits for this outcome. */
  const awaitOutcome = (waiting: Waiting, outcome: Promise<ReadyEdit | RefusedEdit>): void => {
    const take = (taken: ReadyEdit | RefusedEdit): void => {
      waiting.outcome = taken
    }
    waiting.outcome = undefined
    later(outcome, take, () => take(refusedBecause('unavailable')))
  }

  const begin = (waiting: Waiting): void => {
    waiting.isBegun = true
    columnsHeld += waiting.columns
    awaitOutcome(waiting, preparation.prepare(waiting.socket, waiting.edit))
  }

  const beginNext = (): void => {
    for (let [next] = unbegun; next !== undefined; [next] = unbegun) {
      if (columnsHeld > 0 && columnsHeld + next.columns > columnsMax) return
      unbegun.shift()
      begin(next)
    }
  }

  const settle = (
    { socket, edit, columns }: Waiting,
    { changes, rejected, isAudited, release }: ReadyEdit,
    refusal: string | undefined,
  ): void => {
    release()
    columnsHeld -= columns
    if (refusal === undefined) {
      socket.reply({ type: 'result', ref: edit.ref, ok: true, applied: changes.length, rejected: [...rejected] })
      return
    }
    const answer = (): void => socket.reply(resultOf(edit, refusedBecause(refusal)))
    if (isAudited) later(audit.undone(socket, changes, refusal), answer, answer)
    else answer()
  }

  const findReason = (socket: FeedSocket, ready: ReadyEdit): string | undefined =>
    socket.isOpen() ? (findRefusal(socket) ?? (isLeftOutside(ready) ? 'zone-changed' : undefined)) : 'feed-closed'

  const apply = (waiting: Waiting, ready: ReadyEdit): void => {
    const { socket } = waiting
    const { changes } = ready
    const refusal = findReason(socket, ready)
    if (refusal !== undefined) {
      settle(waiting, ready, refusal)
      return
    }
    unsettled += changes.length
    journal.apply({
      changes,
      by: socket.account.playerId,
      via: 'feed',
      settled: (reason) => {
        unsettled -= changes.length
        settle(waiting, ready, reason)
      },
    })
  }

  /** Whether the edit changes blocks now but did not when it was prepared. */
  const isToAudit = (socket: FeedSocket, ready: ReadyEdit): boolean =>
    !ready.isAudited && changesAnything(loaded, ready.changes) && findReason(socket, ready) === undefined

  const mustWait = ({ account }: FeedSocket, { changes }: ReadyEdit): boolean =>
    (unsettled > 0 && unsettled + changes.length > unsettledMax) || journal.findRefusal(account.playerId) === 'busy'

  /** Returns the number of changed blocks, which is at most about `budget`. */
  const work = (queue: Waiting[], budget: number): number => {
    let changed = 0
    for (let [head] = queue; head?.outcome !== undefined && changed < budget; [head] = queue) {
      const { outcome, socket, edit } = head
      if ('changes' in outcome && mustWait(socket, outcome)) break
      if ('changes' in outcome && isToAudit(socket, outcome)) {
        awaitOutcome(head, preparation.auditLate(socket, outcome))
        break
      }
      queue.shift()
      if ('changes' in outcome) {
        changed += outcome.changes.length
        apply(head, outcome)
      } else {
        columnsHeld -= head.columns
        socket.reply(resultOf(edit, outcome))
      }
    }
    return changed
  }

  return {
    submit: (socket, edit) => {
      const queue = queues.get(socket) ?? []
      if (queue.length >= waitingMax.edits || countBlocks(queue) + edit.edits.length > waitingMax.blocks) {
        socket.reply(resultOf(edit, refusedBecause('busy')))
        return
      }
      const waiting = { socket, edit, columns: columnsTouched(edit.edits).length, isBegun: false, outcome: undefined }
      queues.set(socket, queue)
      queue.push(waiting)
      unbegun.push(waiting)
      beginNext()
    },
    forget: (socket) => {
      unbegun = unbegun.filter((waiting) => waiting.socket !== socket)
      const begun = (queues.get(socket) ?? []).filter(({ isBegun }) => isBegun)
      if (begun.length === 0) queues.delete(socket)
      else queues.set(socket, begun)
    },
    step: () => {
      let budget = blocksPerTick
      for (const [socket, queue] of [...queues]) {
        const changed = work(queue, budget)
        budget -= changed
        if (changed === 0 && queue.length > 0) continue
        // Feeds that were served come last in the next tick.
        queues.delete(socket)
        if (queue.length > 0) queues.set(socket, queue)
      }
      beginNext()
    },
  }
}
