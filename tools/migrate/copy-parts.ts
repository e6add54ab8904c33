import type { WorldLease } from '../../shared/domain/worlds/leases/world-lease.ts'
import { keepMigration, type Migration } from '../../shared/services/migration-record.ts'
import type { Progress } from '../world/progress.ts'
import type { Part } from './parts/part.ts'
import type { SourcePlace, TargetPlace } from './places/place.ts'

export type CopyOptions = {
  readonly source: SourcePlace
  readonly target: TargetPlace
  readonly parts: readonly Part[]
  readonly migration: Migration
  readonly isResumed: boolean
  readonly leaseOf: (worldName: string) => WorldLease
  readonly begin: (what: string, total: number) => Progress
  readonly complain: (text: string) => void
  readonly signal: AbortSignal
}

type Checkpoint = NonNullable<Migration['checkpoint']>

const copyPart = async (part: Part, from: Checkpoint | undefined, options: CopyOptions): Promise<void> => {
  const { source, target, migration, begin, complain, signal } = options
  const progress = begin(`Moving ${part.name}`, await part.count(source))
  let done = from?.done ?? 0
  if (done > 0) progress.advance(done)
  const onKept = async (count: number, after?: string): Promise<void> => {
    done += count
    await keepMigration(target.store, {
      ...migration,
      checkpoint: { part: part.name, done: after === undefined ? 0 : done, ...(after !== undefined && { after }) },
    })
    progress.advance(count)
  }
  try {
    signal.throwIfAborted()
    await part.copy({ ...options, after: from?.after, onKept })
  } catch (error) {
    if (!signal.aborted) complain(`Moving ${part.name} failed:\n`)
    throw error
  } finally {
    progress.end()
  }
}

/** Copies the parts in order, from the checkpoint on. Each batch is durable in the target before the checkpoint moves. */
export const copyParts = async (options: CopyOptions): Promise<void> => {
  const { parts, migration } = options
  const { checkpoint } = migration
  // An unknown part means that the source has changed, so start from the first part.
  const first = Math.max(
    0,
    parts.findIndex(({ name }) => name === checkpoint?.part),
  )
  for (const part of parts.slice(first)) await copyPart(part, part.name === checkpoint?.part ? checkpoint : undefined, options)
}
