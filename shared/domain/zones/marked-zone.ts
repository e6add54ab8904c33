import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import type { AccountStore } from '../accounts/store/account-store.ts'
import { Zone } from './zone.ts'

/** A zone as it is shown: marked where its owner is gone. The mark is not stored. */
export const MarkedZone = ClosedObject({
  ...Zone.properties,
  ownerGone: Type.Optional(
    Type.Literal(true, { description: 'The account of its owner is deleted; give the zone another one.' }),
  ),
})
export type MarkedZone = Static<typeof MarkedZone>

/** The zone with its mark; one look-up of an account. */
export const markZone = async (accountStore: Pick<AccountStore, 'findByPlayerId'>, zone: Zone): Promise<MarkedZone> =>
  (await accountStore.findByPlayerId(zone.owner)) === undefined ? { ...zone, ownerGone: true } : zone

/** Marks many zones; each owner is looked up once. */
export const createMarker = (accountStore: Pick<AccountStore, 'findByPlayerId'>): ((zone: Zone) => Promise<MarkedZone>) => {
  const owners = new Map<string, ReturnType<AccountStore['findByPlayerId']>>()
  const findByPlayerId = (playerId: string) => {
    const owner = owners.get(playerId) ?? accountStore.findByPlayerId(playerId)
    owners.set(playerId, owner)
    return owner
  }
  return (zone) => markZone({ findByPlayerId }, zone)
}
