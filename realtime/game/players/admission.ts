import type { ServerConfig } from '../../../shared/domain/configs/server/server-config.ts'
import { compileRules } from '../../../shared/domain/permissions/compile-rules.ts'
import { isLimitedSignIn } from '../../../shared/domain/permissions/limited-sign-in.ts'
import { rightsOf } from '../../../shared/domain/permissions/token-scope.ts'
import type { TokenRecord } from '../../../shared/domain/tokens/tokens.ts'
import { hashSecret } from '../../../shared/kernel/ids.ts'
import { createMoveBudget } from '../../../shared/rules/movement/move-budget.ts'
import { cellRadius, createBody } from '../../interest/cells.ts'
import type { Connect } from '../../protocol/generated/gatehouse.ts'
import { protocolVersion } from '../../protocol/messages.ts'
import type { EntryRules } from '../../sessions/entry-rules.ts'
import type { RestoredSession } from '../../sessions/restored-sessions.ts'
import type { Session, SessionConnection } from '../../sessions/session.ts'
import { type Closing, closings } from '../../socket/closing.ts'
import { createZonePresence } from '../../zones/greet-in-zones.ts'
import { fitViewRadius } from '../fit-view-radius.ts'
import type { Game } from '../game.ts'
import { textOf } from '../module-hooks.ts'
import type { Attachments } from './attachments.ts'
import { type Admitted, type AuthenticateDeps, authenticate } from './authenticate.ts'
import { createCheckQueue } from './check-queue.ts'
import type { Refs } from './refs.ts'

/** The cost of introducing players is limited for each tick. A rush of new players takes several ticks and delays none. */
const introductionsPerTick = 4096
/** Each check needs a few sequential reads. This allows thousands of checks per second without blocking the store. */
const checksAtOnce = 32
/** The cost of a resumed session relative to a new player: other players already have its body in view. */
const resumeShare = 1 / 8

/** A player with a new session, from a sign-in or another node. */
type Newcomer = Omit<Admitted, 'grant'> & {
  readonly grant: Omit<TokenRecord, 'playerId' | 'expiresAt'> & Partial<Pick<TokenRecord, 'expiresAt'>>
}

/** The rules of a session until its client gets Welcome. */
const noRules = compileRules(new Map(), [])

/** Modules start after sessions are restored, and read the data of their players then. */
const noValues = new Map()

/** A player in the queue, and the share of the introductions that the player costs. */
type Arrival = { readonly enter: () => Session | undefined; readonly share: number }

/** Turns Connect into a session. */
export type Admission = {
  connect(connection: SessionConnection, message: Connect): void
  /** Admits the next players of the queue. */
  step(): void
  /** Whether a client with that resume hash waits to be admitted. */
  isAwaited(resumeHash: string): boolean
  /** Something about this player, or any player, has changed. Pending checks of the player are repeated. */
  noteChange(playerId?: string): void
  /** Restores sessions of earlier nodes. They wait for their players. */
  restore(sessions: readonly RestoredSession[]): void
  /** Admits no one from now on, except players who are already being checked. */
  refuseArrivals(closing: Closing): void
}

export type AdmissionDeps = {
  readonly game: Game
  readonly attachments: Attachments
  readonly refs: Refs
  readonly checks: AuthenticateDeps
  readonly settings: () => ServerConfig['realtime']
  readonly entry: EntryRules
}

export const createAdmission = ({ game, attachments, refs, checks, settings, entry }: AdmissionDeps): Admission => {
  const { sessions, interest, world } = game
  let arrivals: Arrival[] = []
  const queue = createCheckQueue(checksAtOnce)
  const awaited = new Set<string>()
  const changed = new Map<string, number>()
  let changes = 0
  let lastOfAnybody = 0
  let onTheirWay = 0
  let refusal: Closing | undefined

  const settle = (): void => {
    onTheirWay -= 1
    if (onTheirWay === 0) changed.clear()
  }

  const read = (connection: SessionConnection, wanted: Connect): Promise<unknown> => {
    const since = changes
    onTheirWay += 1
    const arrive = (admitted: Admitted): Session | undefined => {
      const { playerId } = admitted.account
      const isChanged = Math.max(lastOfAnybody, changed.get(playerId) ?? 0) > since
      const isOutdated = isChanged || !game.modules.hasAllValues(playerId, admitted.values)
      if (isOutdated && connection.isOpen()) check(connection, wanted)
      settle()
      return isOutdated ? undefined : enter(connection, admitted, wanted)
    }
    const done = (result: Awaited<ReturnType<typeof authenticate>>): void => {
      if ('closeCode' in result) {
        settle()
        connection.close(result)
      } else arrivals.push({ enter: () => arrive(result), share: 1 })
    }
    const reading = authenticate(checks, wanted.token, () => connection.isOpen())
    game.later(reading, done, () => done(closings.unavailable))
    return reading
  }

  const check = (connection: SessionConnection, wanted: Connect): void =>
    queue.add({
      isWanted: () => connection.isOpen(),
      run: async () => {
        if (refusal === undefined) await read(connection, wanted)
        else connection.close(refusal)
      },
    })

  const makeRoom = (): boolean => {
    const { connected, detached } = sessions.count()
    if (connected + detached < settings().maxSessions) return true
    for (const longest of sessions.detached()) {
      game.endSession(longest, closings.left)
      return true
    }
    return false
  }

  const create = ({ grant, account, disabled, ignored, place, values }: Newcomer): Session => {
    const bodies = function* () {
      for (const other of sessions.all()) yield other.body
    }
    const body = createBody(refs.take(), account.playerId, account.displayName, place ?? world.spawn.find(bodies()))
    const session: Session = {
      body,
      moves: createMoveBudget(game.nowMs()),
      zone: createZonePresence(),
      account,
      signInId: grant.signInId,
      signedInAt: grant.signedInAt,
      verified: grant.verified,
      scope: grant.scope,
      endsAt: grant.scope && grant.expiresAt,
      disabled,
      ignored,
      lastWhisper: undefined,
      whispers: { sinceMs: Number.NEGATIVE_INFINITY, count: 0 },
      commands: [],
      groups: [],
      rules: noRules,
      wishedRadius: game.viewRadiusMax(),
      viewRadius: game.viewRadiusMax(),
      connection: undefined,
      viewer: undefined,
      chunkView: undefined,
      resumeHash: '',
      connectedAt: 0,
      detachedAtMs: 0,
      commandsInFlight: 0,
      modulesInFlight: 0,
      takeovers: 0,
    }
    interest.addBody(body)
    world.places.follow(body, () => !isLimitedSignIn(session.account, session.verified))
    sessions.add(session)
    game.modules.enter(session, values)
    return session
  }

  const takeOver = (session: Session, { grant, account, disabled, ignored }: Admitted): Session => {
    session.takeovers += 1
    session.signInId = grant.signInId
    session.signedInAt = grant.signedInAt
    session.verified = grant.verified
    session.scope = grant.scope
    session.endsAt = grant.scope && grant.expiresAt
    session.disabled = disabled
    session.ignored = ignored
    // Send nothing to the previous client: another person may use it.
    if (account.displayName !== session.account.displayName) interest.renameBody(session.body, account.displayName)
    session.account = account
    return session
  }

  /** Applies the view radius of Connect. Without one, the session keeps its own. */
  const setRadius = (session: Session, { viewRadius }: Pick<Connect, 'viewRadius'>): void => {
    if (viewRadius === undefined) return
    session.wishedRadius = viewRadius
    fitViewRadius(game, session)
  }

  const findModuleRefusal = (session: Session): Closing | undefined => {
    if (!game.modules.decides('join')) return undefined
    game.access.note(session)
    const refusal = game.modules.decideNow('join', session, (player) => ({ player }))
    return refusal && { closeCode: 4003, code: refusal.code, reason: textOf(refusal) }
  }

  const enter = (connection: SessionConnection, admitted: Admitted, wanted: Connect): Session | undefined => {
    if (!connection.isOpen()) return undefined
    const closing = entry.findClosing(admitted.account, rightsOf(admitted.grant))
    if (closing !== undefined) {
      connection.close(closing)
      return undefined
    }
    const known = sessions.find(admitted.account.playerId)
    if (known?.verified === true && !admitted.grant.verified) {
      connection.close(closings.inUse)
      return undefined
    }
    if (known === undefined && !makeRoom()) {
      connection.close(closings.full)
      return undefined
    }
    // Another person moved that body, so the owner starts at the owner's own place.
    const isStrangers = known !== undefined && admitted.grant.verified && isLimitedSignIn(known.account, known.verified)
    if (isStrangers) game.endSession(known, closings.displaced)
    const isNew = known === undefined || isStrangers
    const session = isNew ? create(admitted) : known
    const refusal = findModuleRefusal(session)
    if (refusal !== undefined) {
      connection.close(refusal)
      if (isNew) game.endSession(session, refusal)
      return undefined
    }
    if (!isNew) takeOver(session, admitted)
    setRadius(session, wanted)
    attachments.attach(session, connection)
    return session
  }

  const resume = (connection: SessionConnection, resumeHash: string, wanted: Connect): Session | undefined => {
    awaited.delete(resumeHash)
    const session = sessions.findByResumeHash(resumeHash)
    const closing = session === undefined ? closings.invalidResume : entry.findClosing(session.account, session)
    if (session === undefined || closing !== undefined) {
      connection.close(closing ?? closings.invalidResume)
      return undefined
    }
    if (!connection.isOpen()) return session
    setRadius(session, wanted)
    attachments.attach(session, connection)
    return session
  }

  const awaitTurn = (connection: SessionConnection, resumeHash: string, wanted: Connect): void => {
    awaited.add(resumeHash)
    arrivals.push({ enter: () => resume(connection, resumeHash, wanted), share: resumeShare })
  }

  const restore = ({ kept, account, disabled, ignored }: RestoredSession): void => {
    const session = create({ grant: kept, account, disabled, ignored, place: kept.place, values: noValues })
    session.wishedRadius = kept.wishedRadius
    fitViewRadius(game, session)
    session.detachedAtMs = game.nowMs()
    sessions.setResumeHash(session, kept.resumeHash)
    sessions.markDetached(session)
  }

  return {
    restore: (restored) => restored.forEach(restore),
    refuseArrivals: (closing) => {
      refusal = closing
    },
    connect: (connection, message) => {
      const { resumeToken } = message
      if (refusal !== undefined) connection.close(refusal)
      else if (message.protocolVersion !== protocolVersion) connection.close(closings.protocol)
      else if (resumeToken === undefined) check(connection, message)
      else awaitTurn(connection, hashSecret(resumeToken), message)
    },
    step: () => {
      let introductions = 0
      let taken = 0
      for (; taken < arrivals.length && introductions < introductionsPerTick; taken += 1) {
        const arrival = arrivals[taken]
        const session = arrival?.enter()
        if (arrival === undefined || session === undefined) continue
        introductions += arrival.share * interest.countAround(session.body, cellRadius(session.viewRadius))
      }
      arrivals = arrivals.slice(taken)
    },
    isAwaited: (resumeHash) => awaited.has(resumeHash),
    noteChange: (playerId) => {
      changes += 1
      if (playerId === undefined) lastOfAnybody = changes
      else if (onTheirWay > 0) changed.set(playerId, changes)
    },
  }
}
