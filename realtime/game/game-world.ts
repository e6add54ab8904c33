import { findExplainLink } from '../../shared/domain/explain/explanation.ts'
import type { PermissionScope } from '../../shared/domain/permissions/account-grant.ts'
import { zonePlayerIdOf } from '../../shared/domain/permissions/limited-sign-in.ts'
import type { Permissions } from '../../shared/domain/permissions/permissions.ts'
import type { BlockPos } from '../../shared/rules/positions.ts'
import type { Interest } from '../interest/interest.ts'
import type { RealtimeMetrics } from '../metrics/realtime-metrics.ts'
import type { Session } from '../sessions/session.ts'
import { createEditJournal, type EditJournal } from '../world/edits/edit-journal.ts'
import { createTellChanges, type ToldChange } from '../world/edits/tell-changes.ts'
import { createWorldEdits, type WorldEdits } from '../world/edits/world-edits.ts'
import type { NodeWorld } from '../world/node-world.ts'
import type { GameZone } from '../zones/game-zone.ts'
import type { GameZones } from '../zones/game-zones.ts'
import { describeRefusal, type ModuleHooks, reasonOf } from './module-hooks.ts'
import { createEditGuard, createHoldsByGrant, createHoldsPermission } from './zone-rules.ts'

/** The world of the node, and its edits. */
export type GameWorld = NodeWorld & {
  readonly edits: WorldEdits<Session>
  readonly journal: EditJournal
  /** A zone of this world, active or not. */
  readonly findZone: (id: string) => GameZone | undefined
  /** The active zone with that block. */
  readonly zoneAt: GameZones['zoneAt']
}

type GameWorldDeps = {
  readonly world: NodeWorld
  readonly zones: Pick<GameZones, 'isKnown' | 'zoneAt' | 'find'>
  readonly interest: Pick<Interest, 'bodiesNear'>
  readonly permissions: Pick<Permissions, 'rulesOfSignIn' | 'rulesOfZoneGrants'>
  readonly modules: Pick<ModuleHooks, 'decides' | 'decide'>
  readonly scopeAt: (at: BlockPos) => PermissionScope
  /** On the monotonic clock. */
  readonly nowMs: () => number
  /** Called in each tick with its changes, after the viewers got them. */
  readonly changed: (changes: readonly ToldChange[]) => void
  readonly metrics: Pick<RealtimeMetrics, 'countEdit'>
}

export const createGameWorld = ({
  world,
  zones,
  interest,
  permissions,
  modules,
  scopeAt,
  nowMs,
  changed,
  metrics,
}: GameWorldDeps): GameWorld => {
  const { loaded, registry, writer, streaming } = world
  const viewersOf = (cx: number, cz: number) => streaming.viewersOf(cx, cz).map(({ sink }) => sink)
  const tellViewers = createTellChanges({ viewersOf, registry })
  const tell = (changes: readonly ToldChange[]): void => {
    tellViewers(changes)
    changed(changes)
  }
  const journal = createEditJournal({ loaded, registry, writer, tell, nowMs })
  const holds = createHoldsPermission(permissions, scopeAt)
  const edits = createWorldEdits<Session>({
    loaded,
    registry,
    journal,
    holds,
    guard: createEditGuard({
      zones,
      holds,
      holdsByGrant: createHoldsByGrant(permissions, scopeAt),
      playerIdOf: ({ account, verified }: Session) => zonePlayerIdOf(account, verified),
    }),
    explain: ({ account, rules, verified }, { permission, at: { x, y, z }, type }) =>
      findExplainLink({ email: account.email, rules, verified }, permission, {
        x,
        y,
        z,
        ...scopeAt({ x, y, z }),
        ...(type !== undefined && { type }),
      }),
    playersNear: ({ x, z }) => interest.bodiesNear(x, z),
    modules: {
      isAsked: () => modules.decides('edit'),
      ask: (session, changes, answer) =>
        modules.decide(
          'edit',
          session,
          (player) => ({ player, changes }),
          (refusal) => answer(refusal && { reason: reasonOf(refusal), refusedBy: describeRefusal(refusal) }),
        ),
    },
    answered: metrics.countEdit,
  })
  return {
    ...world,
    edits,
    journal,
    findZone: zones.find,
    zoneAt: zones.zoneAt,
  }
}
