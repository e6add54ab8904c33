import type { PresenceKeeper } from '../presence-keeper.ts'
import type { Displacement } from './displacement.ts'

type Keeper = Pick<PresenceKeeper, 'enter' | 'leave'>

/** A keeper of which both hear. */
export const followWith = (keeper: Keeper, link: Pick<Displacement, 'enter' | 'leave'>): Keeper => ({
  enter: (...player) => {
    keeper.enter(...player)
    link.enter(player[0])
  },
  leave: (playerId) => {
    keeper.leave(playerId)
    link.leave(playerId)
  },
})
