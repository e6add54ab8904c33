import { decidePermission, describeDecision } from '../permissions/decide-permission.ts'
import { buildPermission, zonePermission } from '../permissions/game-permissions.ts'
import type { RuleSet } from '../permissions/rules.ts'
import type { Zone } from '../zones/zone.ts'
import { mayBuildIn, rulesOf } from '../zones/zone-index.ts'
import type { AccessCheck } from './explanation.ts'

/** The place of an action, as far as it is known. */
export type KnownLocation = {
  readonly world?: string
  /** A block; absent if unknown. */
  readonly point?: { readonly x: number; readonly y: number; readonly z: number }
  /** The enabled zone that contains the block. */
  readonly zone?: Pick<Zone, 'id' | 'name' | 'owner' | 'rules' | 'members'>
  /** The zones of the world have not been loaded yet. */
  readonly zonesUnknown?: true
}

type Asked = {
  readonly rules: RuleSet
  /** Permissions from grants for the zone at the place. */
  readonly zoneGrants: RuleSet
  readonly permission: string
  readonly at: KnownLocation
  readonly displayName: string
  readonly playerId: string
}

const zoneCheck = (ok: boolean, ...sentences: readonly string[]): readonly AccessCheck[] => [
  { check: 'zone', ok, detail: sentences.join(' ') },
]

/** Whether the account may build at that place. Only for the two permissions needed to build; empty for others. */
export const checkZone = ({ rules, zoneGrants, permission, at, displayName, playerId }: Asked): readonly AccessCheck[] => {
  if (permission !== zonePermission && permission !== buildPermission) return []
  const { point, zone, zonesUnknown } = at
  if (point === undefined)
    return zoneCheck(
      true,
      `The position is unknown, because ${displayName} is not in the game. Building in an enabled zone also needs ${zonePermission}.`,
    )
  if (zonesUnknown) return zoneCheck(false, 'The zones of this world have not been loaded yet. No one can build until then.')
  const decide = (name: string) => decidePermission(rules, name, { verified: true, privileged: false })
  const build = zone === undefined ? 'permission' : rulesOf(zone).build
  if (zone !== undefined && build !== 'permission') {
    const decision = decide(zonePermission)
    const byGrant = decidePermission(zoneGrants, zonePermission, { verified: true, privileged: false })
    const holdsByGrant = decision.allowed && byGrant.allowed
    const may = mayBuildIn(zone, { playerId, holds: decision.allowed, holdsByGrant }) && decide(buildPermission).allowed
    const who = {
      members: 'only members can build',
      everyone: 'everyone with world.build can build',
      nobody: 'no one can build',
    }[build]
    const place = `At ${point.x} ${point.y} ${point.z} in zone "${zone.name}" (${zone.id}), where ${who}.`
    return zoneCheck(may, place, `${displayName} may ${may ? '' : 'not '}build there.`)
  }
  const where = `At ${point.x} ${point.y} ${point.z}`
  const missing = (zone === undefined ? [buildPermission] : [buildPermission, zonePermission]).filter(
    (name) => !decide(name).allowed,
  )
  const verdict = `${displayName} may ${missing.length === 0 ? '' : 'not '}build there.`
  const reasons = missing.filter((name) => name !== permission).map((name) => describeDecision(decide(name), name))
  if (zone === undefined)
    return zoneCheck(true, `${where}, outside all zones: building there does not need ${zonePermission}.`, verdict)
  return zoneCheck(
    missing.length === 0,
    `${where} in zone "${zone.name}" (${zone.id}), where building also needs ${zonePermission}.`,
    verdict,
    ...reasons,
  )
}
