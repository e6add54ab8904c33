import type { ServerConfig } from '../../../shared/domain/configs/server/server-config.ts'
import { compileRules } from '../../../shared/domain/permissions/compile-rules.ts'
import { isLimitedSignIn } from '../../../shared/domain/permissions/limited-sign-in.ts'
import type { TokenGrant } from '../../../shared/domain/tokens/tokens.ts'
import { hashSecret } from '../../../shared/kernel/ids.ts'
import { createMoveBudget } from '../../../shared/rules/movement/move-budget.ts'
import { cellRadius, createBody } from '../../interest/cell.ts'
import type { Connect } from '../../protocol/generated/gatehouse.ts'
import { protocolVersion } from '../../protocol/messages.ts'
import type { EntryRules } from '../../sessions/entry-rules.ts'
import type { RestoredSession } from '../../sessions/restored-sessions.ts'
import type { Session, SessionConnection } from '../../sessions/session.ts'
import { type Closing, closings } from '../../socket/closing.ts'
import { createZonePresence } from '../../zones/zone-presence.ts'
import { fitViewRadius } from '../fit-view-radius.ts'
import type { Game } from '../game.ts'
import type { Attachments } from './attachments.ts'
import { type Admitted, type AuthenticateDeps, authenticate } from './authenticate.ts'
import { createCheckQueue } from './check-queue.ts'
import type { Refs } from './refs.ts'

/** Players that the arrivals of one tick may be told of, together: a rush of arrivals takes a few ticks more and stalls none. */
const introductionsPerTick = 4096
/** Each is a few reads one after the other: enough to let in thousands a second, too few to keep a store from everybody else. */
const checksAtOnce = 32
/** Of what a newcomer costs; everybody else has had the body of one who comes back in view all the time. */
const resumeShare = 1 / 8

/** Whose session is made: by a sign-in, or as another node left it. */
type Newcomer = Omit<Admitted, 'grant'> & { readonly grant: Omit<TokenGrant, 'playerId'> }

/** Of a session until its client is welcomed. */
const noRules = compileRules(new Map(), [])

/** One who waits to come in, and what part of the introductions it costs. */
type Arrival = { readonly enter: () => Session | undefined; readonly share: number }

/** Turns Connect into a session. */
export type Admission = {
  connect(connection: SessionConnection, message: Connect): void
  /** Lets in those whose turn it is. */
  step(): void
  /** Whether somebody with the secret of that hash waits to be let in. */
  isAwaited(resumeHash: string): boolean
  /** Something about this player changed, or about anybody: whoever is checked or waits to come in at this moment is checked again. */
  noteChange(playerId?: string): void
  /** Sessions of nodes before, which wait for their players from now on. */
  restore(sessions: readonly RestoredSession[]): void
  /** From now on nobody comes in; those who are being checked may be the last. */
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

  const read = (connection: SessionConnection, token: string): Promise<unknown> => {
    const since = changes
    onTheirWay += 1
    const arrive = (admitted: Admitted): Session | undefined => {
      const isOutdated = Math.max(lastOfAnybody, changed.get(admitted.account.playerId) ?? 0) > since
      if (isOutdated && connection.isOpen()) check(connection, token)
      settle()
      return isOutdated ? undefined : enter(connection, admitted)
    }
    const done = (result: Awaited<ReturnType<typeof authenticate>>): void => {
      if ('closeCode' in result) {
        settle()
        connection.close(result)
      } else arrivals.push({ enter: () => arrive(result), share: 1 })
    }
    const reading = authenticate(checks, token, () => connection.isOpen())
    game.later(reading, done, () => done(closings.unavailable))
    return reading
  }

  const check = (connection: SessionConnection, token: string): void =>
    queue.add({
      isWanted: () => connection.isOpen(),
      run: async () => {
        if (refusal === undefined) await read(connection, token)
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

  const create = ({ grant, account, disabled, ignored, place }: Newcomer): Session => {
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
      takeovers: 0,
    }
    interest.addBody(body)
    world.places.follow(body, () => !isLimitedSignIn(session.account, session.verified))
    sessions.add(session)
    return session
  }

  const takeOver = (session: Session, { grant, account, disabled, ignored }: Admitted): Session => {
    session.takeovers += 1
    session.signInId = grant.signInId
    session.signedInAt = grant.signedInAt
    session.verified = grant.verified
    session.disabled = disabled
    session.ignored = ignored
    // Its old client is told nothing of the new sign-in: it may be somebody else's.
    if (account.displayName !== session.account.displayName) interest.renameBody(session.body, account.displayName)
    session.account = account
    return session
  }

  const enter = (connection: SessionConnection, admitted: Admitted): Session | undefined => {
    if (!connection.isOpen()) return undefined
    const closing = entry.findClosing(admitted.account, admitted.grant.verified)
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
    // A stranger moved that body: the owner begins where they were.
    const isStrangers = known !== undefined && admitted.grant.verified && isLimitedSignIn(known.account, known.verified)
    if (isStrangers) game.endSession(known, closings.displaced)
    const session = known === undefined || isStrangers ? create(admitted) : takeOver(known, admitted)
    attachments.attach(session, connection)
    return session
  }

  const resume = (connection: SessionConnection, resumeHash: string): Session | undefined => {
    awaited.delete(resumeHash)
    const session = sessions.findByResumeHash(resumeHash)
    const closing = session === undefined ? closings.invalidResume : entry.findClosing(session.account, session.verified)
    if (session === undefined || closing !== undefined) {
      connection.close(closing ?? closings.invalidResume)
      return undefined
    }
    if (connection.isOpen()) attachments.attach(session, connection)
    return session
  }

  const awaitTurn = (connection: SessionConnection, resumeHash: string): void => {
    awaited.add(resumeHash)
    arrivals.push({ enter: () => resume(connection, resumeHash), share: resumeShare })
  }

  const restore = ({ kept, account, disabled, ignored }: RestoredSession): void => {
    const session = create({ grant: kept, account, disabled, ignored, place: kept.place })
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
      else if (resumeToken === undefined) check(connection, message.token)
      else awaitTurn(connection, hashSecret(resumeToken))
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
