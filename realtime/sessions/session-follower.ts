import type { NodePresence } from '../../shared/domain/presence/presence.ts'
import type { Displacement } from '../node-links/displacement.ts'
import type { SessionFollower } from './sessions.ts'

/** Forwards joins and leaves to both. A rename goes to the keeper only, because no player connected. */
export const followWith = (
  keeper: Pick<NodePresence, 'enter' | 'leave'>,
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
