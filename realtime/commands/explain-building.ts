import type { Account } from '../../shared/accounts/account.ts'
import { decidePermission, describeDecision } from '../../shared/permissions/decide-permission.ts'
import { zonePermission } from '../zones/edit-guard.ts'
import type { CommandContext } from './command.ts'

const buildPermission = 'world.build'

/** What the place of a player adds to an answer of `/why`. */
export type BuildingThere = {
  readonly lines: readonly string[]
  /** Absent where there is no place to decide for. */
  readonly place?: {
    readonly x: number
    readonly y: number
    readonly z: number
    readonly zone?: { readonly id: string; readonly name: string }
    readonly mayBuild: boolean
  }
}

const nothing: BuildingThere = { lines: [] }

const decide = ({ permissions }: CommandContext, { groups }: Account, permission: string) => {
  const decision = decidePermission(permissions.rulesFor(groups), permission, { verified: true, privileged: false })
  return { allowed: decision.allowed, line: describeDecision(decision, permission) }
}

/** Whether an account may build where its player stands, by the zone there; nothing for other permissions than those to build. */
export const explainBuilding = (context: CommandContext, account: Account, permission: string): BuildingThere => {
  if (permission !== zonePermission && permission !== buildPermission) return nothing
  const isOfZones = permission === zonePermission
  const { gameZones, live } = context
  const { displayName, playerId } = account
  const position = live?.listPlayers().find((player) => player.playerId === playerId)?.position
  if (position === undefined)
    return isOfZones
      ? { lines: [`It counts in enabled zones only, and ${displayName} is not in the game to stand in one.`] }
      : nothing
  if (!gameZones.isKnown()) return { lines: ['The zones of this world could not be read yet: until then nobody may build.'] }
  const [x, y, z] = [Math.floor(position.x), Math.floor(position.y), Math.floor(position.z)]
  const zone = gameZones.zoneAt(x, y, z)
  const world = decide(context, account, buildPermission)
  const inZones = decide(context, account, zonePermission)
  const stands = `${displayName} stands at ${x} ${y} ${z}`
  const mayBuild = world.allowed && (zone === undefined || inZones.allowed)
  const place = { x, y, z, ...(zone && { zone: { id: zone.id, name: zone.name } }), mayBuild }
  const verdict = `${displayName} may ${mayBuild ? '' : 'not '}build there.`
  if (zone === undefined)
    return { place, lines: isOfZones ? [`${stands}, in no zone: building there does not need it. ${verdict}`] : [] }
  const where = `${stands} in zone "${zone.name}" (${zone.id}), where building needs ${zonePermission} too. ${verdict}`
  if (isOfZones) return { place, lines: [where, ...(world.allowed ? [] : [world.line])] }
  return { place, lines: inZones.allowed ? [] : [where, inZones.line] }
}
