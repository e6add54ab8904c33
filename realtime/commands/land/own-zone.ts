import { isOfZone } from '../../../shared/domain/zones/zone-index.ts'
import type { BlockPos } from '../../../shared/rules/positions.ts'
import type { GameZone } from '../../zones/game-zone.ts'
import type { Command, CommandCaller, CommandContext, CommandReply } from '../command.ts'
import { findPermissionRefusal } from '../executor/decide-command.ts'

/** The zone to which a caller is limited, or the refusal. */
type OwnZone = { readonly zone?: GameZone; readonly refusal?: CommandReply }

type Asked = Pick<Command, 'name' | 'permission' | 'privileged'>

const findZoneAt = ({ gameZones }: Pick<CommandContext, 'gameZones'>, at: BlockPos | undefined): GameZone | undefined =>
  at && gameZones.zoneAt(Math.floor(at.x), Math.floor(at.y), Math.floor(at.z))

/**
 * Finds the zone to which a caller is limited at a place. A caller with the permission world-wide is not limited. A caller with it
 * only in this zone, an owner or a member is limited to this zone.
 */
export const findOwnZone = async (
  context: Pick<CommandContext, 'gameZones' | 'accountStore' | 'permissions' | 'world'>,
  caller: CommandCaller,
  { command, at }: { readonly command: Asked; readonly at: BlockPos | undefined },
): Promise<OwnZone> => findRightInZone(context, caller, { command, zone: findZoneAt(context, at) })

/** Does the same for a given zone. */
export const findRightInZone = async (
  { accountStore, permissions, world }: Pick<CommandContext, 'accountStore' | 'permissions' | 'world'>,
  { actor, rulesHere, isLimited }: CommandCaller,
  { command: { name, permission, privileged }, zone }: { readonly command: Asked; readonly zone: GameZone | undefined },
): Promise<OwnZone> => {
  const account = rulesHere && (await accountStore.findByPlayerId(actor.playerId))
  const rights = { verified: actor.verified, scope: actor.rules.scope?.permissions }
  const refuseBy = (rules: CommandCaller['actor']['rules']) =>
    findPermissionRefusal({ ...actor, rules }, { what: `/${name}`, permission, privileged })
  const refusal = refuseBy(account ? permissions.rulesOfSignIn(account, rights, { world: world.name }) : actor.rules)
  if (refusal === undefined) return {}
  if (zone === undefined) return { refusal }
  const isGranted =
    account && refuseBy(permissions.rulesOfSignIn(account, rights, { world: world.name, zone: zone.id })) === undefined
  return isGranted || (!isLimited && isOfZone(zone, actor.playerId)) ? { zone } : { refusal }
}
