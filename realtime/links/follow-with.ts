import type { PresenceKeeper } from '../presence-keeper.ts'
import type { SessionFollower } from '../sessions/sessions.ts'
import type { Displacement } from './displacement.ts'

/** A keeper of which both hear; of another name the keeper alone, since nobody connected. */
export const followWith = (
  keeper: Pick<PresenceKeeper, 'enter' | 'leave'>,
  link: Pick<Displacement, 'enter' | 'leave'>,
): SessionFollower => ({
  enter: (playerId, displayName, isVerified) => {
    keeper.enter(playerId, displayName)
    link.enter(playerId, !isVerified)
  },
  rename: keeper.enter,
  leave: (playerId) => {
    keeper.leave(playerId)
    link.leave(playerId)
  },
})
