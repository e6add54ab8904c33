import type { ConfigImpact } from '../compare/config-impact-schema.ts'

/** The impact as told to who may not read accounts: how many it touches, and none by name. */
export const hideAccounts = ({ groups, ...impact }: ConfigImpact): ConfigImpact => ({
  ...impact,
  ...(groups && { groups: { ...groups, accounts: groups.accounts && { ...groups.accounts, listed: [] } } }),
})
