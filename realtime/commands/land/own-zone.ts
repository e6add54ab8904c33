import type { BlockPos } from '../../../shared/worlds/space/positions.ts'
import { isOfZone } from '../../../shared/zones/zone-in-force.ts'
import type { GameZone } from '../../zones/game-zone.ts'
import type { Command, CommandCaller, CommandContext, CommandReply } from '../command.ts'
import { findPermissionRefusal } from '../executor/decide-command.ts'

/** The zone that a caller is held to, if any; or why they may not do it there. */
type OwnZone = { readonly zone?: GameZone; readonly refusal?: CommandReply }

/** Who holds the permission of the command is held to no zone; others to the one at that place, of which they are the owner or a member. */
export const findOwnZone = (
  { gameZones }: Pick<CommandContext, 'gameZones'>,
  { actor, rulesHere }: CommandCaller,
  { command, at }: { readonly command: Pick<Command, 'name' | 'permission' | 'privileged'>; readonly at: BlockPos | undefined },
): OwnZone => {
  const { name, permission, privileged } = command
  const asked = { what: `/${name}`, permission, privileged }
  const refusal = findPermissionRefusal({ ...actor, rules: rulesHere ?? actor.rules }, asked)
  if (refusal === undefined) return {}
  const zone = at && gameZones.zoneAt(at.x, at.y, at.z)
  return zone !== undefined && isOfZone(zone, actor.playerId) ? { zone } : { refusal }
}
