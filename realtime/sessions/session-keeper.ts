import type { KeptSession, SessionChanges, WorldSessions } from '../../shared/domain/sessions/session-store.ts'
import type { WorldLease } from '../../shared/domain/worlds/leases/world-lease.ts'
import { createWriteLoop } from '../../shared/kernel/background-writes.ts'
import type { Log } from '../../shared/kernel/log.ts'
import type { Body } from '../interest/cells.ts'
import type { Session } from './session.ts'

/** Stores the sessions of this node, so that they outlive it. Owned by the game loop, which it never blocks. */
export type SessionKeeper = {
  /** The session is new, has a new secret or sign-in, or lost its connection. */
  keep(session: Session): void
  end(session: Session): void
  /** Runs in each tick. Checks some of the places, each once a second, and starts a write if none is running. */
  step(nowMs: number): void
  /** Writes the current state. Never rejects; failures are logged. */
  flush(): Promise<void>
}

export type SessionKeeperDeps = {
  readonly sessions: WorldSessions
  /** Sessions are written even in doubt: their store checks the fence and refuses a replaced node. */
  readonly lease: Pick<WorldLease, 'isLost'>
  /** The active `resumeSeconds`. */
  readonly resumeSeconds: () => number
  /** Ticks per second. */
  readonly tickRate: number
  readonly log: Log
}

/** How often to renew the expiry of stored sessions if there are no changes. */
const renewEveryMs = 1000
const retryAfterMs = 200

/** Added to the resume time, so that the next node has time to start. */
const startMs = 15_000
/** Less than the ten minutes for which a logout is remembered. An older session may have been ended in the meantime. */
const keptMsMax = 540_000

const positionOf = ({ x, y, z, yaw, pitch }: Body): KeptSession['place'] => ({ x, y, z, yaw, pitch })

/** Written out, because spreading would copy all fields of each moving player once a second. */
const toKept = (session: Session): KeptSession => ({
  playerId: session.account.playerId,
  resumeHash: session.resumeHash,
  signInId: session.signInId,
  signedInAt: session.signedInAt,
  verified: session.verified,
  ...(session.scope !== undefined && { scope: session.scope, expiresAt: session.endsAt ?? 0 }),
  wishedRadius: session.wishedRadius,
  place: positionOf(session.body),
})

const isTold = ({ body, wishedRadius }: Session, told: KeptSession | undefined): boolean => {
  if (told === undefined || told.wishedRadius !== wishedRadius) return false
  const { x, y, z, yaw, pitch } = told.place
  return x === body.x && y === body.y && z === body.z && yaw === body.yaw && pitch === body.pitch
}

/**
 * If the store is unavailable or another node has the sessions, everything is written again later. Nothing is written after the
 * lease is lost.
 */
export const createSessionKeeper = ({ sessions, lease, resumeSeconds, tickRate, log }: SessionKeeperDeps): SessionKeeper => {
  /** All sessions, as last written. */
  const told = new Map<Session, KeptSession | undefined>()
  let changed = new Set<Session>()
  let ended = new Set<string>()
  let looking = told.keys()
  /** The content of the store is unknown or belongs to another node. */
  let isAnew = true
  let renewAtMs = Number.NEGATIVE_INFINITY

  const ttlMs = (): number => Math.min(keptMsMax, resumeSeconds() * 1000 + startMs)

  const tell = (session: Session): KeptSession => {
    const kept = toKept(session)
    told.set(session, kept)
    return kept
  }

  function* tellAll(): Generator<KeptSession> {
    for (const session of told.keys()) yield tell(session)
  }

  const takeChanges = (): SessionChanges => {
    const changes = { kept: Array.from(changed, tell), ended: [...ended] }
    changed = new Set()
    ended = new Set()
    return changes
  }

  const writeAnew = async (): Promise<void> => {
    changed = new Set()
    ended = new Set()
    await sessions.writeAll(tellAll(), ttlMs())
  }

  const write = async (): Promise<void> => {
    const wasAnew = isAnew
    // After a failure the content of the store is unknown.
    isAnew = true
    if (wasAnew || !(await sessions.write(takeChanges(), ttlMs()))) await writeAnew()
    isAnew = false
  }

  const loop = createWriteLoop({
    write,
    retryAfterMs,
    failed: (err) => log.warn({ err }, 'sessions could not be stored; retrying later'),
    recovered: () => log.info({ sessions: told.size }, 'sessions are stored again'),
  })

  const look = (): void => {
    for (let left = Math.ceil(told.size / tickRate); left > 0; left -= 1) {
      const { done, value } = looking.next()
      if (done) looking = told.keys()
      else if (!isTold(value, told.get(value))) changed.add(value)
    }
  }

  return {
    keep: (session) => {
      if (!told.has(session)) told.set(session, undefined)
      ended.delete(session.account.playerId)
      changed.add(session)
    },
    end: (session) => {
      told.delete(session)
      changed.delete(session)
      ended.add(session.account.playerId)
    },
    step: (nowMs) => {
      look()
      const isDue = changed.size > 0 || ended.size > 0 || nowMs >= renewAtMs
      if (!isDue || !loop.isReady(nowMs) || lease.isLost()) return
      renewAtMs = nowMs + renewEveryMs
      loop.step(nowMs)
    },
    flush: async () => {
      if (loop.isWriting()) await loop.run(1).catch(() => undefined)
      for (const [session, kept] of told) if (!isTold(session, kept)) changed.add(session)
      if (!lease.isLost()) await loop.run(1).catch(() => undefined)
    },
  }
}
