import type { BlockType, Welcome } from '../protocol/generated/gatehouse.ts'
import { tellMayFly } from './may-fly.ts'
import type { Session } from './session.ts'

/** What every Welcome of this node says the same. */
export type WelcomeFacts = {
  readonly worldName: string
  readonly blocks: readonly BlockType[]
  readonly tickRate: number
  readonly resumeSeconds: number
  readonly serverVersion: string
  /** Empty: nothing. */
  readonly motd: string
}

export const createWelcome = (session: Session, resumeToken: string, facts: WelcomeFacts): Welcome => {
  const { account, body, commands, viewRadius } = session
  return {
    playerId: account.playerId,
    displayName: account.displayName,
    groups: [...account.groups],
    position: { x: body.x, y: body.y, z: body.z, yaw: body.yaw, pitch: body.pitch },
    world: { name: facts.worldName },
    tickRate: facts.tickRate,
    viewRadius,
    blocks: [...facts.blocks],
    commands: [...commands],
    resumeToken,
    serverVersion: facts.serverVersion,
    resumeSeconds: facts.resumeSeconds,
    ...(facts.motd !== '' && { motd: facts.motd }),
    ...tellMayFly(session),
  }
}
