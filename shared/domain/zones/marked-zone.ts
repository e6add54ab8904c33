import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import type { AccountStore } from '../accounts/store/account-store.ts'
import { Zone } from './zone.ts'

/** A zone as shown to clients, with a mark if its owner was deleted. The mark is not stored. */
export const MarkedZone = ClosedObject({
  ...Zone.properties,
  ownerGone: Type.Optional(Type.Literal(true, { description: 'The owner’s account was deleted. Assign a new owner.' })),
})
export type MarkedZone = Static<typeof MarkedZone>

/** Adds the mark. Costs one look-up of an account. */
export const markZone = async (accountStore: Pick<AccountStore, 'findByPlayerId'>, zone: Zone): Promise<MarkedZone> =>
  (await accountStore.findByPlayerId(zone.owner)) === undefined ? { ...zone, ownerGone: true } : zone

/** Marks many zones, looking up each owner once. */
export const createMarker = (accountStore: Pick<AccountStore, 'findByPlayerId'>): ((zone: Zone) => Promise<MarkedZone>) => {
  const owners = new Map<string, ReturnType<AccountStore['findByPlayerId']>>()
  const findByPlayerId = (playerId: string) => {
    const owner = owners.get(playerId) ?? accountStore.findByPlayerId(playerId)
    owners.set(playerId, owner)
    return owner
  }
  return (zone) => markZone({ findByPlayerId }, zone)
}
