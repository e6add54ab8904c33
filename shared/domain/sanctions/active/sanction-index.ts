import { normalizeEmail } from '../../accounts/email.ts'
import type { Sanction } from '../sanction.ts'
import { createAddressBans } from './address-bans.ts'

/** Sanctions that were not ended, by account and address. Expired ones may still be listed; callers check the time. */
export type SanctionIndex = {
  /** Replaces the sanction with the same id. */
  put(sanction: Sanction): void
  remove(id: string): void
  ofAccount(email: string): readonly Sanction[]
  ofAddress(address: string): readonly Sanction[]
  all(): Iterable<Sanction>
}

const nothing: readonly Sanction[] = []

const beyondAscii = /[^\0-\x7f]/
/** Old sanctions and accounts may have a domain that is not normalized. */
const keyOf = (email: string): string => (beyondAscii.test(email) ? (normalizeEmail(email) ?? email) : email)

export const createSanctionIndex = (): SanctionIndex => {
  const byId = new Map<string, Sanction>()
  const byEmail = new Map<string, readonly Sanction[]>()
  const addresses = createAddressBans<Sanction>()

  const remove = (id: string): void => {
    const sanction = byId.get(id)
    if (sanction === undefined) return
    byId.delete(id)
    const { email, address } = sanction
    if (address !== undefined) addresses.remove(address, sanction)
    if (email === undefined) return
    const others = ofAccount(email).filter((other) => other !== sanction)
    if (others.length === 0) byEmail.delete(keyOf(email))
    else byEmail.set(keyOf(email), others)
  }
  const ofAccount = (email: string): readonly Sanction[] => byEmail.get(keyOf(email)) ?? nothing

  return {
    put: (sanction) => {
      const { id, email, address } = sanction
      remove(id)
      byId.set(id, sanction)
      if (email !== undefined) byEmail.set(keyOf(email), [...ofAccount(email), sanction])
      if (address !== undefined) addresses.add(address, sanction)
    },
    remove,
    ofAccount,
    ofAddress: addresses.findAll,
    all: () => byId.values(),
  }
}
