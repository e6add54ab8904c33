import { type AccountGrant, isGrantInForce } from '../../../shared/domain/permissions/account-grant.ts'
import { isLimitedSignIn } from '../../../shared/domain/permissions/limited-sign-in.ts'
import { usualMovement } from '../../../shared/rules/movement/move-budget.ts'
import type { BlockType, MessageLimits, SessionGrant, Welcome } from '../../protocol/generated/gatehouse.ts'
import { tellMayFly } from '../../sessions/may-fly.ts'
import type { Session } from '../../sessions/session.ts'

/** The values that are equal in every Welcome of this node. */
export type WelcomeFacts = {
  readonly worldName: string
  readonly blocks: readonly BlockType[]
  readonly tickRate: number
  readonly resumeSeconds: number
  readonly serverVersion: string
  /** In chunks. */
  readonly viewRadiusMax: number
  readonly limits: MessageLimits
  /** Empty: no message. */
  readonly motd: string
  /** On the clock of grants. */
  readonly nowMs: number
}

/** Leaves out the author and the reason. */
const tellGrant = ({ id, group, permission, world, zone, until }: AccountGrant): SessionGrant => ({
  id,
  group,
  permission,
  world,
  zone,
  until,
})

export const createWelcome = (session: Session, resumeToken: string, facts: WelcomeFacts): Welcome => {
  const { account, body, commands, groups, verified, viewRadius } = session
  const grants = isLimitedSignIn(account, verified) ? [] : (account.grants ?? [])
  return {
    playerId: account.playerId,
    displayName: account.displayName,
    groups: [...groups],
    position: { x: body.x, y: body.y, z: body.z, yaw: body.yaw, pitch: body.pitch },
    world: { name: facts.worldName },
    tickRate: facts.tickRate,
    viewRadius,
    viewRadiusMax: facts.viewRadiusMax,
    blocks: [...facts.blocks],
    commands: [...commands],
    resumeToken,
    serverVersion: facts.serverVersion,
    resumeSeconds: facts.resumeSeconds,
    ...(facts.motd !== '' && { motd: facts.motd }),
    grants: grants.filter((grant) => isGrantInForce(grant, facts.nowMs)).map(tellGrant),
    ...tellMayFly(session),
    limits: facts.limits,
    movement: usualMovement,
  }
}
