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
  /** How often to look at the clock. */
  readonly beatMs: number
  /** Frees the lock of the world on this machine. */
  readonly freeLock: () => void
}

/** The last part of the time to live, in which the holder no longer counts on the lease: for clocks of unlike speed and writes under way. */
const marginShare = 0.2
/** How much sooner than usual a renewal that failed is tried again. */
const retrySpeedUp = 5

const isConflict = (error: unknown): boolean => error instanceof AppError && error.kind === 'conflict'

/**
 * Keeps a lease that was just taken by writing it again every `renewMs`. It is lost when somebody else has written it. With the store out of reach it is in doubt, before anybody else could take it. Nothing may be written then until a renewal gets through, which it does only when nobody took it. The lock is kept until `release`, which never rejects.
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
      log.error({ ...facts, err: error }, 'what was to be done at the loss of a lease failed')
    }
  }

  const lose = (reason: string): void => {
    if (state !== 'held') return
    state = 'lost'
    clearInterval(beat)
    log.error(facts, `the lease of the world is lost: ${reason}`)
    for (const listener of listeners) tell(listener)
  }

  /** After a conflict: an answer may have been lost on its way, and then what stands there is ours, written we do not know when. */
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
      // Whoever takes it changes the version: a renewal that gets through, however late, proves that nobody has.
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
      if (!failing) log.warn({ ...facts, err: error }, 'the lease of the world cannot be renewed; trying on')
      failing = true
    }
    renewal = undefined
  }

  const noteDoubt = (): void => {
    if (inDoubt === !isHeld()) return
    inDoubt = !inDoubt
    if (inDoubt) log.warn(facts, 'the lease of the world was not renewed in time; nothing is written until it is')
    else log.info(facts, 'the lease of the world is renewed, and nobody had taken it')
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
      if (!isConflict(error)) log.warn({ ...facts, err: error }, 'the lease of the world could not be released; it expires')
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
