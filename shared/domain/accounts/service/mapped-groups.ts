import type { Account } from '../account.ts'

/** The groups claim of a sign-in: its values, and the groups that the active mapping gives for them. */
export type MappedClaim = { readonly values: readonly string[]; readonly groups: readonly string[] }

const union = (...lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())]

/** The groups that `mapping` gives for the values of the claim, without duplicates. */
export const mapClaim = (values: readonly string[], mapping: Readonly<Record<string, string>>): MappedClaim => ({
  values,
  groups: union(values.flatMap((value) => (Object.hasOwn(mapping, value) ? (mapping[value] ?? []) : []))),
})

/** The groups granted on this server, without those that a sign-in mapped. */
export const grantedGroups = ({ groups, mappedGroups = [] }: Account): readonly string[] =>
  groups.filter((name) => !mappedGroups.includes(name))

/**
 * The account after a sign-in with `claim`; undefined if no claim is mapped. Replaces the groups mapped by earlier sign-ins and keeps the
 * granted ones.
 */
export const applyMappedClaim = (account: Account, claim: MappedClaim | undefined): Account => {
  const { mappedGroups: _, claimedGroups: __, ...rest } = account
  const granted = grantedGroups(account)
  const mapped = claim?.groups.filter((name) => !granted.includes(name)) ?? []
  return {
    ...rest,
    groups: union(granted, mapped),
    ...(mapped.length === 0 ? {} : { mappedGroups: mapped }),
    ...(claim === undefined || claim.values.length === 0 ? {} : { claimedGroups: [...claim.values] }),
  }
}

/** The account with `names` granted, so that no sign-in removes them even if they were mapped. */
export const grantMapped = (account: Account, names: readonly string[]): Account => {
  const { mappedGroups, ...rest } = account
  const kept = mappedGroups?.filter((name) => !names.includes(name)) ?? []
  return kept.length === 0 ? rest : { ...rest, mappedGroups: kept }
}

/** `after`, with only those groups marked as mapped that it has now and had before. Groups added by hand count as granted. */
export const keepMapped = (before: Account, after: Account): Account => {
  if (before.mappedGroups === undefined) return after
  const { mappedGroups = [], ...rest } = after
  const kept = mappedGroups.filter((name) => after.groups.includes(name) && before.groups.includes(name))
  return kept.length === 0 ? rest : { ...after, mappedGroups: kept }
}
