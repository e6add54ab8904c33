import { AppError } from '../../shared/kernel/errors.ts'
import type { Log } from '../../shared/kernel/log.ts'
import type { BlockRegistry } from '../../shared/worlds/block-registry.ts'
import type { Zone } from '../../shared/zones/zone.ts'
import type { BlockChange, EditJournal } from '../world/edit-journal.ts'
import type { FeedAudit } from './feed-audit.ts'
import type { FeedColumns } from './feed-columns.ts'
import type { FeedEdit, FeedResult, Rejected } from './feed-messages.ts'
import type { FeedSocket } from './feed-socket.ts'
import { columnsTouched, readFeedEdits } from './read-feed-edits.ts'

/** Edits of one feed that may wait; each beyond is refused. */
const waitingMax = 16

/** Blocks of feeds that are changed in one tick, and that may wait to be stored: half of what the journal takes is left to players. */
const blocksPerTick = 8192
const unsettledMax = 16_384

/** Edits through feeds. Those of one feed keep their order, and a `result` follows each: once it is durable, was undone, or is refused. */
export type FeedEdits = {
  submit(socket: FeedSocket, edit: FeedEdit): void
  /** Drops what the feed has not begun yet. */
  forget(socket: FeedSocket): void
  /** Within a tick, before the journal steps: changes what is ready. */
  step(): void
}

export type FeedEditsDeps = {
  readonly registry: Pick<BlockRegistry, 'find'>
  readonly journal: Pick<EditJournal, 'findRefusal' | 'apply'>
  readonly columns: FeedColumns
  readonly audit: FeedAudit
  /** Why nothing of the feed's can be changed at this moment: a permission, a zone of another world, one that is gone. */
  readonly findRefusal: (socket: FeedSocket) => string | undefined
  /** The zone as it is stored now; undefined when it is gone. */
  readonly readZone: (id: string) => Promise<Zone | undefined>
  /** `then` or `failed` run in a later tick. */
  readonly later: <T>(work: Promise<T>, then: (result: T) => void, failed: (error: unknown) => void) => void
  readonly log: Log
}

type Ready = {
  readonly edit: FeedEdit
  readonly changes: readonly BlockChange[]
  readonly rejected: readonly Rejected[]
  readonly release: () => void
}
type Refused = { readonly reason?: string; readonly rejected: readonly Rejected[] }
type Queue = { readonly waiting: FeedEdit[]; readonly ready: Ready[]; isPreparing: boolean }

const refusedBecause = (reason: string): Refused => ({ reason, rejected: [] })

const resultOf = ({ ref }: FeedEdit, { reason, rejected }: Refused): FeedResult => ({
  type: 'result',
  ref,
  ok: false,
  applied: 0,
  rejected: [...rejected],
  ...(reason === undefined ? {} : { reason }),
})

const reasonOf = (error: unknown): string =>
  error instanceof AppError && (error.slug === 'storage-full' || error.slug === 'lease-lost') ? error.slug : 'unavailable'

export const createFeedEdits = (deps: FeedEditsDeps): FeedEdits => {
  const { registry, journal, columns, audit, findRefusal, readZone, later, log } = deps
  const queues = new Map<FeedSocket, Queue>()
  let unsettled = 0

  const prepare = async (socket: FeedSocket, edit: FeedEdit): Promise<Ready | Refused> => {
    const refusal = findRefusal(socket)
    if (refusal !== undefined) return refusedBecause(refusal)
    const zone = await readZone(socket.zoneId)
    if (zone === undefined) return refusedBecause('zone-deleted')
    const { changes, rejected } = readFeedEdits(edit.edits, zone, registry)
    if (changes.length === 0 || (rejected.length > 0 && !edit.partial)) return { rejected }
    const release = await columns.load(columnsTouched(changes))
    try {
      await audit.begin(socket, changes)
    } catch (error) {
      release()
      throw error
    }
    return { edit, changes, rejected, release }
  }

  const pump = (socket: FeedSocket, queue: Queue): void => {
    if (queue.isPreparing) return
    const edit = queue.waiting.shift()
    if (edit === undefined) {
      if (queue.ready.length === 0) queues.delete(socket)
      return
    }
    queue.isPreparing = true
    const proceed = (outcome: Ready | Refused): void => {
      if ('changes' in outcome) queue.ready.push(outcome)
      else socket.reply(resultOf(edit, outcome))
      queue.isPreparing = false
      pump(socket, queue)
    }
    later(prepare(socket, edit), proceed, (error) => {
      log.warn({ err: error, zoneId: socket.zoneId }, 'an edit of a feed could not begin')
      proceed(refusedBecause(reasonOf(error)))
    })
  }

  const settle = (socket: FeedSocket, { edit, changes, rejected, release }: Ready, refusal: string | undefined): void => {
    release()
    const { ref } = edit
    if (refusal === undefined) socket.reply({ type: 'result', ref, ok: true, applied: changes.length, rejected: [...rejected] })
    else {
      const refused = resultOf(edit, refusedBecause(refusal))
      later(
        audit.undone(socket, changes, refusal),
        () => socket.reply(refused),
        () => socket.reply(refused),
      )
    }
  }

  const apply = (socket: FeedSocket, ready: Ready): void => {
    const refusal = socket.isOpen() ? findRefusal(socket) : 'feed-closed'
    if (refusal !== undefined) {
      settle(socket, ready, refusal)
      return
    }
    const { changes } = ready
    unsettled += changes.length
    journal.apply({
      changes,
      by: socket.account.playerId,
      settled: (reason) => {
        unsettled -= changes.length
        settle(socket, ready, reason)
      },
    })
  }

  const mustWait = (socket: FeedSocket, { changes }: Ready): boolean =>
    (unsettled > 0 && unsettled + changes.length > unsettledMax) || journal.findRefusal(socket.account.playerId) === 'busy'

  return {
    submit: (socket, edit) => {
      const queue = queues.get(socket) ?? { waiting: [], ready: [], isPreparing: false }
      if (queue.waiting.length + queue.ready.length >= waitingMax) {
        socket.reply(resultOf(edit, refusedBecause('busy')))
        return
      }
      queues.set(socket, queue)
      queue.waiting.push(edit)
      pump(socket, queue)
    },
    forget: (socket) => {
      const queue = queues.get(socket)
      if (queue !== undefined) queue.waiting.length = 0
    },
    step: () => {
      let budget = blocksPerTick
      for (const [socket, queue] of [...queues]) {
        for (let [next] = queue.ready; next !== undefined && budget > 0; [next] = queue.ready) {
          if (mustWait(socket, next)) break
          queue.ready.shift()
          budget -= next.changes.length
          apply(socket, next)
          // Whoever had a turn comes last in the next tick.
          queues.delete(socket)
          queues.set(socket, queue)
        }
        pump(socket, queue)
      }
    },
  }
}
