import { decidePermission } from '../../shared/domain/permissions/decide-permission.ts'
import type { Game } from '../game/game.ts'
import { positionOf, teleport } from '../game/move-session.ts'
import type { ModuleMetrics } from '../metrics/realtime-metrics.ts'
import type { Session } from '../sessions/session.ts'
import { kickedBecause } from '../socket/closing.ts'
import type { ModuleCalls } from './module-calls.ts'
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
  may(permission: string): boolean
  tell(text: string, severity?: Severity): void
  teleport(to: Partial<Placement>): void
  kick(reason: string): void
}

export type ModulePlayersDeps = {
  readonly getGame: () => Game
  readonly calls: Pick<ModuleCalls, 'addEffect'>
  readonly countBytes: ModuleMetrics['countBytes']
}

/** The players of the node, as modules see them. */
export type ModulePlayers = {
  /** The same object each time while the session lasts. */
  of(module: RunningModule, session: Session): ModulePlayer
  /** The session of a player object that the module got. Undefined for other values, and after the player has left. */
  sessionOf(player: unknown): Session | undefined
}

export const createModulePlayers = ({ getGame, calls, countBytes }: ModulePlayersDeps): ModulePlayers => {
  const bySession = new WeakMap<Session, Map<RunningModule, ModulePlayer>>()
  const sessions = new WeakMap<object, Session>()
  const isHere = (session: Session): boolean => getGame().sessions.find(session.account.playerId) === session

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
    may: (permission) => {
      const { access } = getGame()
      const rules = access.rulesHere(session)
      return decidePermission(rules, permission, {
        verified: session.verified,
        privileged: false,
      }).allowed
    },
    tell: (text, severity = 'info') =>
      calls.addEffect(module, 'player.tell', () => {
        const line = String(text)
        countBytes(module.name, line.length)
        session.connection?.send({ $case: 'notice', value: { severity, kind: 'module', text: line } })
      }),
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
    sessionOf: (player) => {
      const session = typeof player === 'object' && player !== null ? sessions.get(player) : undefined
      return session !== undefined && isHere(session) ? session : undefined
    },
  }
}
