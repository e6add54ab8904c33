import type { Clock } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Store, Version } from '../../../platform/storage/store.ts'
import { leaseRecords } from './lease-record.ts'
import type { TakenLease } from './take-lease.ts'
import type { WorldLease } from './world-lease.ts'

export type KeepLeaseDeps = {
  readonly store: Store
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Log
  readonly worldName: string
  readonly ttlMs: number
  readonly renewMs: number
  /** How often to check the clock. */
  readonly beatMs: number
  /** Releases the world's lock on this machine. */
  readonly freeLock: () => void
}

/**
 * The last part of the time to live, in which the holder stops relying on the lease. Allows for differences of clocks and for pending
 * writes.
 */
const marginShare = 0.2
/** How much sooner a failed renewal is retried. */
const retrySpeedUp = 5

const isConflict = (error: unknown): boolean => error instanceof AppError && error.kind === 'conflict'

/**
 * Keeps a new lease by writing it again every `renewMs`. The lease is lost if another node has written it. If the store is out of
 * reach, it is in doubt before another node could take it. Then nothing may be written until a renewal succeeds, which proves that no
 * node took it. The lock is kept until `release`, which never rejects.
 */
export const keepLease = (deps: KeepLeaseDeps, { record, ...taken }: TakenLease): WorldLease => {
  const { store, clock, log, worldName, ttlMs, renewMs, beatMs, freeLock } = deps
  const facts = { world: worldName, fence: record.fence }
  const listeners = new Set<() => void>()
  let state: 'held' | 'lost' | 'released' = 'held'
  let version = taken.version
  let renewedMs = taken.takenMs
  let triedMs = taken.takenMs
  let failing = false
  let inDoubt = false
  let renewal: Promise<void> | undefined
  let releasing: Promise<void> | undefined

  const isHeld = (): boolean => state === 'held' && clock.monotonic() < renewedMs + ttlMs * (1 - marginShare)

  const tell = (listener: () => void): void => {
    try {
      listener()
    } catch (error) {
      log.error({ ...facts, err: error }, 'a listener for the loss of a lease failed')
    }
  }

  const lose = (reason: string): void => {
    if (state !== 'held') return
    state = 'lost'
    clearInterval(beat)
    log.error(facts, `the lease of the world is lost: ${reason}`)
    for (const listener of listeners) tell(listener)
  }

  /** After a conflict: the answer to our own write may have been lost. Then the record is ours, with an unknown time of writing. */
  const findOwn = async (): Promise<Version | undefined> => {
    const stored = await store.get(leaseRecords, worldName)
    return stored?.value.holder?.leaseId === record.holder.leaseId ? stored.version : undefined
  }

  const settleConflict = async (): Promise<void> => {
    const own = await findOwn()
    if (own === undefined) return lose('another node has taken it')
    version = own
    failing = true
  }

  const renew = async (): Promise<void> => {
    triedMs = clock.monotonic()
    const startedMs = triedMs
    try {
      // Another holder would have changed the version, so a renewal that succeeds, however late, proves that there is none.
      version = await store.put(leaseRecords, worldName, record, { ifVersion: version })
      renewedMs = startedMs
      failing = false
    } catch (error) {
      if (isConflict(error)) return settleConflict()
      throw error
    }
  }

  const tryRenewal = async (): Promise<void> => {
    try {
      await renew()
    } catch (error) {
      if (!failing) log.warn({ ...facts, err: error }, 'the lease of the world cannot be renewed; retrying')
      failing = true
    }
    renewal = undefined
  }

  const noteDoubt = (): void => {
    if (inDoubt === !isHeld()) return
    inDoubt = !inDoubt
    if (inDoubt) log.warn(facts, 'the lease of the world was not renewed in time; writes are paused until it is')
    else log.info(facts, 'the lease of the world is renewed; no other node had taken it')
  }

  const beat = setInterval(() => {
    noteDoubt()
    if (clock.monotonic() - triedMs >= (failing ? renewMs / retrySpeedUp : renewMs)) renewal ??= tryRenewal()
  }, beatMs).unref()

  const writeRelease = async (ifVersion: Version): Promise<void> => {
    await store.put(leaseRecords, worldName, { fence: record.fence }, { ifVersion })
  }

  const release = async (): Promise<void> => {
    if (state === 'held') state = 'released'
    clearInterval(beat)
    await renewal
    try {
      await writeRelease(version).catch(async (error: unknown) => {
        const own = isConflict(error) ? await findOwn() : undefined
        if (own === undefined) throw error
        await writeRelease(own)
      })
    } catch (error) {
      if (!isConflict(error)) log.warn({ ...facts, err: error }, 'the lease of the world cannot be released; it will expire')
    }
    freeLock()
  }

  return {
    fence: record.fence,
    isHeld,
    isLost: () => state === 'lost',
    concede: () => lose('another node says that it runs the world'),
    sinceRenewalMs: () => clock.monotonic() - renewedMs,
    onLost: (listener) => {
      if (state === 'lost') queueMicrotask(() => tell(listener))
      else listeners.add(listener)
    },
    release: () => {
      releasing ??= release()
      return releasing
    },
  }
}
