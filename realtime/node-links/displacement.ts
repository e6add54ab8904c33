import type { Entry, Whereabouts } from '../../shared/domain/presence/whereabouts.ts'
import type { Log } from '../../shared/kernel/log.ts'
import { repeat } from '../../shared/kernel/repeat.ts'
import type { EventBus } from '../../shared/platform/events/event-bus.ts'

const checkEveryMs = 5_000

/** The number of players in one query, so that ticks can run between two queries. */
const checkedAtOnce = 250

/** The sessions of this node, as far as displacement needs them. */
export type DisplacedHere = {
  /** The state of the player's session. Undefined if there is none. */
  findSession(playerId: string): 'connected' | 'waiting' | undefined
  /**
   * Ends the session of a player who connected to another node later. A verified session stays if the later sign-in is unverified.
   */
  displace(playerId: string, isByUnverified: boolean): void
}

/**
 * Ensures that an account is connected to only one node: that of its newest verified connection, or else of its newest connection.
 */
export type Displacement = {
  /** A player connected to this node. Sessions on other nodes end; verified ones end only if this sign-in is verified. */
  enter(playerId: string, isUnverified?: boolean): void
  leave(playerId: string): void
  /** A player connected to any node. */
  hear(entry: Entry): void
  /** Ends sessions from now on, and polls every five seconds in case an event was lost. Returns a function that stops it. */
  start(here: DisplacedHere, everyMs?: number): () => void
  /** Polls now. Never rejects. */
  check(here: DisplacedHere): Promise<void>
}

export type DisplacementDeps = {
  readonly nodeId: string
  readonly events: EventBus
  readonly whereabouts: Whereabouts
  /** Whether this node certainly runs its world. A node that was paused and replaced no longer decides about players. */
  readonly isHeld: () => boolean
  readonly log: Log
}

/** When a player connected here, and last to another node. 0 if that is unknown. */
type Stay = { at: number; elsewhereAt: number; isElsewhereUnverified: boolean; readonly isUnverified: boolean }

/**
 * If an entry fails because Redis is unavailable, the next check repeats it, unless the player has connected to another node since.
 */
export const createDisplacement = ({ nodeId, events, whereabouts, isHeld, log }: DisplacementDeps): Displacement => {
  const stays = new Map<string, Stay>()
  let entering = new Map<string, Stay>()
  let leaving = new Set<string>()
  /** Players whose entries are being written. */
  let arriving: ReadonlyMap<string, Stay> = new Map()
  let underWay: Promise<void> | undefined
  let sessions: DisplacedHere | undefined
  let isAway = false

  const settle = (playerId: string, stay: Stay): void => {
    if (stay.at === 0 || stay.elsewhereAt <= stay.at || stays.get(playerId) !== stay) return
    stays.delete(playerId)
    sessions?.displace(playerId, stay.isElsewhereUnverified)
  }

  const hear = ({ playerId, nodeId: where, at, unverified }: Entry): void => {
    if (where === nodeId) return
    const isByUnverified = unverified === true
    const stay = stays.get(playerId)
    // Without a stay, a session here is older than this node's tenure of the world.
    if (stay === undefined) sessions?.displace(playerId, isByUnverified)
    else if (isByUnverified && !stay.isUnverified) {
      // The verified session here wins: its entry is written again, later than the other, and the other session ends.
      if (stay.at > 0 && at > stay.at && sessions?.findSession(playerId) !== undefined) enter(playerId)
    } else {
      if (at > stay.elsewhereAt) stay.isElsewhereUnverified = isByUnverified
      stay.elsewhereAt = Math.max(stay.elsewhereAt, at)
      settle(playerId, stay)
    }
  }

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
      if (isAway) log.info({}, 'connections to other nodes can be read again')
      isAway = false
    } catch (error) {
      if (!isAway) log.warn({ err: error }, 'connections to other nodes cannot be read; retrying')
      isAway = true
    }
  }

  const tell = async (): Promise<void> => {
    const arrived = entering
    const left = leaving
    entering = new Map()
    leaving = new Set()
    arriving = arrived
    if (left.size > 0) await whereabouts.leave(nodeId, [...left])
    // The next check enters players who are skipped now, if they are still here.
    if (arrived.size === 0 || !isHeld()) return
    const unverified = new Set([...arrived].filter(([, { isUnverified }]) => isUnverified).map(([playerId]) => playerId))
    const entries = await whereabouts.enter(nodeId, [...arrived.keys()], unverified)
    if (!isHeld()) return
    for (const { playerId, at } of entries) {
      const stay = arrived.get(playerId)
      if (stay === undefined) continue
      stay.at = at
      void events.publish('player-connected', { playerId, nodeId, at, ...(stay.isUnverified && { unverified: true }) })
      settle(playerId, stay)
    }
  }

  /** One write at a time, for all changes of a tick. */
  const tellSoon = (): Promise<void> => {
    underWay ??= Promise.resolve().then(async () => {
      while (entering.size + leaving.size > 0) await attempt(tell)
      arriving = new Map()
      underWay = undefined
    })
    return underWay
  }

  const enter = (playerId: string, isUnverified = false): void => {
    const stay = { at: 0, elsewhereAt: 0, isElsewhereUnverified: false, isUnverified }
    stays.set(playerId, stay)
    entering.set(playerId, stay)
    void tellSoon()
  }

  /** Repeats a failed entry. With the current time it would be later than a connection to another node since. */
  const enterAgain = (playerId: string, here: DisplacedHere): void => {
    if (entering.has(playerId) || arriving.has(playerId)) return
    const { elsewhereAt = 0, isElsewhereUnverified = false, isUnverified = false } = stays.get(playerId) ?? {}
    if (elsewhereAt === 0) enter(playerId, isUnverified)
    else {
      stays.delete(playerId)
      here.displace(playerId, isElsewhereUnverified)
    }
  }

  /** Forgets players without a session, repeats failed entries, and returns the entries of the others. */
  const listKnown = (playerIds: readonly string[], here: DisplacedHere): readonly Entry[] =>
    playerIds.flatMap((playerId) => {
      const session = here.findSession(playerId)
      const { at = 0, isUnverified = false } = stays.get(playerId) ?? {}
      if (session === undefined) stays.delete(playerId)
      else if (at > 0) return [{ playerId, nodeId, at, ...(isUnverified && { unverified: true }) }]
      else if (session === 'connected') enterAgain(playerId, here)
      return []
    })

  const check = (here: DisplacedHere): Promise<void> =>
    attempt(async () => {
      if (!isHeld()) return
      const playerIds = [...stays.keys()]
      for (let from = 0; from < playerIds.length; from += checkedAtOnce) {
        const known = listKnown(playerIds.slice(from, from + checkedAtOnce), here)
        for (const entry of await whereabouts.renew(known)) hear(entry)
      }
      await tellSoon()
    })

  return {
    enter,
    leave: (playerId) => {
      entering.delete(playerId)
      leaving.add(playerId)
      void tellSoon()
    },
    hear,
    start: (here, everyMs = checkEveryMs) => {
      sessions = here
      return repeat(() => check(here), everyMs)
    },
    check,
  }
}
