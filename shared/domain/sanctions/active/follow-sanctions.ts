import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import { createSharedRuns } from '../../../kernel/queue.ts'
import type { EventBus } from '../../../platform/events/event-bus.ts'
import type { Store, Version } from '../../../platform/storage/store.ts'
import { normalizeEmail } from '../../accounts/email.ts'
import { inForceId, inForcePrefix } from '../record-ids.ts'
import {
  isInForce,
  type Sanction,
  type SanctionChanges,
  type SanctionKind,
  sanctionChanges,
  sanctionChangesId,
  sanctionRecords,
} from '../sanction.ts'
import { createAddressBans } from './address-bans.ts'

/** Sanctions that were not ended, by account and address. Expired ones may still be listed; callers check the time. */
type SanctionIndex = {
  /** Replaces the sanction with the same id. */
  put(sanction: Sanction): void
  remove(id: string): void
  ofAccount(email: string): readonly Sanction[]
  ofAddress(address: string): readonly Sanction[]
  all(): Iterable<Sanction>
}

const nothing: readonly Sanction[] = []

const beyondAscii = /[^\0-\x7f]/
/** Old sanctions and accounts may have a domain that is not normalized. */
const keyOf = (email: string): string => (beyondAscii.test(email) ? (normalizeEmail(email) ?? email) : email)

const createSanctionIndex = (): SanctionIndex => {
  const byId = new Map<string, Sanction>()
  const byEmail = new Map<string, readonly Sanction[]>()
  const addresses = createAddressBans<Sanction>()

  const remove = (id: string): void => {
    const sanction = byId.get(id)
    if (sanction === undefined) return
    byId.delete(id)
    const { email, address } = sanction
    if (address !== undefined) addresses.remove(address, sanction)
    if (email === undefined) return
    const others = ofAccount(email).filter((other) => other !== sanction)
    if (others.length === 0) byEmail.delete(keyOf(email))
    else byEmail.set(keyOf(email), others)
  }
  const ofAccount = (email: string): readonly Sanction[] => byEmail.get(keyOf(email)) ?? nothing

  return {
    put: (sanction) => {
      const { id, email, address } = sanction
      remove(id)
      byId.set(id, sanction)
      if (email !== undefined) byEmail.set(keyOf(email), [...ofAccount(email), sanction])
      if (address !== undefined) addresses.add(address, sanction)
    },
    remove,
    ofAccount,
    ofAddress: addresses.findAll,
    all: () => byId.values(),
  }
}

/** The last change of sanctions that this process has read; version `null` before the first. */
export type SeenChanges = SanctionChanges & { readonly version: Version | null }

/** The active sanctions in memory. A query costs one or two look-ups, and ends count to the millisecond. */
export type ActiveSanctions = {
  /** The ban of an account. If there are several, the one that ends last. */
  findBan(email: string): Sanction | undefined
  /** The ban that covers an address, chosen likewise. */
  findAddressBan(address: string): Sanction | undefined
  findMute(email: string): Sanction | undefined
  /** Warnings that the player has not seen, oldest first. */
  listWarnings(email: string): readonly Sanction[]
  /** Newest first. */
  list(): readonly Sanction[]
  /** Expired sanctions that are still listed as active, at most `max`. */
  listOver(max: number): readonly Sanction[]
  /** Reads the changes of other processes. Costs one read of the Store if there are none. Happens automatically after the start. */
  catchUp(): Promise<SeenChanges>
  /** Calls `listener` after each change in any process. */
  onChange(listener: () => void): () => void
}

export type FollowSanctionsDeps = {
  readonly store: Pick<Store, 'get' | 'list'>
  readonly events: Pick<EventBus, 'subscribe'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

/** The active sanctions, kept current by events, and by polling in case an event is lost. */
export type FollowedSanctions = ActiveSanctions & {
  /** Reads everything, then follows changes. Rejects if the store is away. */
  start(pollMs?: number): Promise<void>
  close(): void
}

const pageLimit = 500
const pollMsDefault = 5_000
/** The time after its end at which a sanction leaves the list of active ones, because clocks may differ. */
const overForMs = 60_000

const endOf = ({ until }: Sanction): number => (until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until))

/** Empty until `start` or `catchUp`. */
export const followSanctions = ({ store, events, clock, log }: FollowSanctionsDeps): FollowedSanctions => {
  let index: SanctionIndex = createSanctionIndex()
  let seen: SeenChanges | undefined
  let isAway = false
  const listeners = new Set<() => void>()
  const stops: (() => void)[] = []

  const listOfAccount = (email: string, kind: SanctionKind): readonly Sanction[] => {
    const sanctions = index.ofAccount(email)
    return sanctions.length === 0 ? sanctions : sanctions.filter((one) => one.kind === kind && isInForce(one, clock.now()))
  }
  const findLongest = (sanctions: readonly Sanction[]): Sanction | undefined =>
    sanctions.reduce<Sanction | undefined>((longest, one) => (longest && endOf(longest) >= endOf(one) ? longest : one), undefined)

  const readChanges = async (): Promise<SeenChanges> => {
    const stored = await store.get(sanctionChanges, sanctionChangesId)
    return stored === undefined ? { count: 0, recent: [], version: null } : { ...stored.value, version: stored.version }
  }

  const readAll = async (): Promise<void> => {
    const next = createSanctionIndex()
    let cursor: string | undefined
    do {
      const page = await store.list(sanctionRecords, { prefix: inForcePrefix, limit: pageLimit, ...(cursor && { cursor }) })
      for (const { value } of page.records) next.put(value)
      cursor = page.nextCursor
      await setImmediate()
    } while (cursor !== undefined)
    index = next
  }

  const readOne = async (id: string): Promise<void> => {
    const stored = await store.get(sanctionRecords, inForceId(id))
    if (stored === undefined) index.remove(id)
    else index.put(stored.value)
  }

  const look = async (): Promise<SeenChanges> => {
    const changes = await readChanges()
    if (seen !== undefined && seen.version === changes.version) return seen
    const missed = changes.count - (seen?.count ?? 0)
    // Reads the record of changes first, so that changes during this read are read again the next time.
    if (changes.version === null) index = createSanctionIndex()
    else if (seen === undefined || missed < 1 || missed > changes.recent.length) await readAll()
    else for (const id of new Set(changes.recent.slice(-missed))) await readOne(id)
    seen = changes
    for (const listener of [...listeners]) listener()
    return changes
  }
  const catchUp = createSharedRuns(look)

  const check = async (): Promise<void> => {
    try {
      await catchUp()
      if (isAway) log.info({}, 'sanctions can be read again')
      isAway = false
    } catch (error) {
      // One log line for each outage.
      if (!isAway) log.warn({ err: error }, 'sanctions cannot be read; known ones still apply')
      isAway = true
    }
  }

  return {
    findBan: (email) => findLongest(listOfAccount(email, 'ban')),
    findAddressBan: (address) => findLongest(index.ofAddress(address).filter((one) => isInForce(one, clock.now()))),
    findMute: (email) => findLongest(listOfAccount(email, 'mute')),
    listWarnings: (email) => listOfAccount(email, 'warning').toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    list: () => [...index.all()].filter((one) => isInForce(one, clock.now())).sort((one, other) => (one.id < other.id ? 1 : -1)),
    listOver: (max) => {
      const over: Sanction[] = []
      for (const one of index.all()) {
        if (over.length === max) break
        if (endOf(one) <= clock.now() - overForMs) over.push(one)
      }
      return over
    },
    catchUp,
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start: async (pollMs = pollMsDefault) => {
      await catchUp()
      const timer = setInterval(() => void check(), pollMs).unref()
      let isClosed = false
      stops.push(() => {
        isClosed = true
        clearInterval(timer)
      })
      // Not awaited: without Redis a process starts anyway, and polls until events arrive.
      events.subscribe('sanctions-changed', check).then(
        (end) => (isClosed ? end() : stops.push(end)),
        (error: unknown) => log.warn({ err: error }, 'no events of sanctions; polling instead'),
      )
    },
    close: () => {
      for (const stop of stops.splice(0)) stop()
    },
  }
}
