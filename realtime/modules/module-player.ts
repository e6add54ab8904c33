import { describeUnknownPermission } from '../../shared/domain/modules/unknown-permission.ts'
import { decidePermission } from '../../shared/domain/permissions/decide-permission.ts'
import type { Game } from '../game/game.ts'
import { positionOf, teleport } from '../game/move-session.ts'
import type { RealtimeMetrics } from '../metrics/realtime-metrics.ts'
import type { Session } from '../sessions/session.ts'
import { kickedBecause } from '../socket/closing.ts'
import type { ModuleValues } from './data/module-values.ts'
import type { ModuleCalls } from './module-calls.ts'
import { encodePush } from './module-messages.ts'
import type { RunningModule } from './running-module.ts'

type Placement = { readonly x: number; readonly y: number; readonly z: number; readonly yaw: number; readonly pitch: number }
type Severity = 'info' | 'warning' | 'error'

/** A player, as the code of one module sees it. */
export type ModulePlayer = {
  readonly id: string
  readonly name: string
  readonly groups: readonly string[]
  readonly place: Placement
  readonly isLost: boolean
  /** Of this module; undefined if it declares none. */
  readonly data: unknown
  may(permission: string): boolean
  tell(text: string, severity?: Severity): void
  push(name: string, body: unknown): void
  teleport(to: Partial<Placement>): void
  kick(reason: string): void
}

export type ModulePlayersDeps = {
  readonly getGame: () => Game
  readonly calls: Pick<ModuleCalls, 'addEffect' | 'open'>
  readonly countBytes: RealtimeMetrics['modules']['countBytes']
  readonly values: Pick<ModuleValues, 'playerDataOf'>
}

/** An account that sends a message over HTTP. */
export type RemoteCaller = {
  readonly playerId: string
  readonly displayName: string
  readonly groups: readonly string[]
  may(permission: string): boolean
}

/** Throws in the handler for a permission that does not exist. Otherwise all players silently lack it. */
const checkPermission = ({ name, spec }: RunningModule, permission: string): void => {
  const unknown = describeUnknownPermission(permission, { module: name, own: spec.declare.permissions ?? {} })
  if (unknown !== undefined) throw new Error(unknown)
}

/** The players of the node, as modules see them. */
export type ModulePlayers = {
  /** The same object each time while the session lasts. */
  of(module: RunningModule, session: Session): ModulePlayer
  /** A caller without a place. Texts and pushes reach the player if they are in the game. */
  ofRemote(module: RunningModule, caller: RemoteCaller): object
  /** The session of a player object that the module got. Undefined for other values, and after the player has left. */
  sessionOf(player: unknown): Session | undefined
}

export const createModulePlayers = ({ getGame, calls, values, countBytes }: ModulePlayersDeps): ModulePlayers => {
  const bySession = new WeakMap<Session, Map<RunningModule, ModulePlayer>>()
  const sessions = new WeakMap<object, Session>()
  const isHere = (session: Session): boolean => getGame().sessions.find(session.account.playerId) === session

  const tell = (module: RunningModule, session: Session | undefined, text: string, severity: Severity): void => {
    const line = String(text)
    countBytes(module.name, Buffer.byteLength(line))
    session?.connection?.send({ $case: 'notice', value: { severity, kind: 'module', text: line } })
  }

  /** Throws in the handler if the module does not declare the push, or if the body does not fit. */
  const addPush = (module: RunningModule, name: string, body: unknown, find: () => Session | undefined): void => {
    const push = encodePush(module, name, body)
    calls.addEffect(module, 'player.push', () => {
      countBytes(module.name, push.body.length)
      find()?.connection?.send({ $case: 'modulePush', value: push })
    })
  }

  const create = (module: RunningModule, session: Session): ModulePlayer => ({
    get id() {
      return session.account.playerId
    },
    get name() {
      return session.account.displayName
    },
    get groups() {
      return session.groups
    },
    get place() {
      return positionOf(session)
    },
    get isLost() {
      return session.connection === undefined
    },
    get data() {
      return calls.open(values.playerDataOf(module.name, session.account.playerId))
    },
    may: (permission) => {
      checkPermission(module, permission)
      const { access } = getGame()
      const rules = access.rulesHere(session)
      return decidePermission(rules, permission, {
        verified: session.verified,
        privileged: false,
      }).allowed
    },
    tell: (text, severity = 'info') => calls.addEffect(module, 'player.tell', () => tell(module, session, text, severity)),
    push: (name, body) => addPush(module, name, body, () => session),
    teleport: (to) =>
      calls.addEffect(module, 'player.teleport', () => {
        if (isHere(session)) teleport(getGame(), session, { ...positionOf(session), ...to })
      }),
    kick: (reason) =>
      calls.addEffect(module, 'player.kick', () => {
        if (isHere(session)) getGame().endSession(session, kickedBecause(String(reason)))
      }),
  })

  return {
    of: (module, session) => {
      const known = bySession.get(session) ?? new Map<RunningModule, ModulePlayer>()
      bySession.set(session, known)
      const player = known.get(module) ?? create(module, session)
      known.set(module, player)
      sessions.set(player, session)
      return player
    },
    ofRemote: (module, { playerId, displayName, groups, may }) => {
      const find = (): Session | undefined => getGame().sessions.find(playerId)
      const act = (name: string, run: (session: Session) => void): void =>
        calls.addEffect(module, name, () => {
          const session = find()
          if (session !== undefined) run(session)
        })
      return {
        id: playerId,
        name: displayName,
        groups,
        place: undefined,
        get isLost() {
          return find()?.connection === undefined
        },
        get data() {
          return calls.open(values.playerDataOf(module.name, playerId))
        },
        may: (permission: string) => {
          checkPermission(module, permission)
          return may(permission)
        },
        tell: (text: string, severity: Severity = 'info') =>
          act('player.tell', (session) => tell(module, session, text, severity)),
        push: (name: string, body: unknown) => addPush(module, name, body, find),
        teleport: (to: Partial<Placement>) =>
          act('player.teleport', (session) => teleport(getGame(), session, { ...positionOf(session), ...to })),
        kick: (reason: string) => act('player.kick', (session) => getGame().endSession(session, kickedBecause(String(reason)))),
      }
    },
    sessionOf: (player) => {
      const session = typeof player === 'object' && player !== null ? sessions.get(player) : undefined
      return session !== undefined && isHere(session) ? session : undefined
    },
  }
}
