/** Whether a rule without its minus covers a permission: `*`, the name itself, or `admin.users.*`. */
const covers = (rule: string, permission: string): boolean =>
  rule === '*' || rule === permission || (rule.endsWith('.*') && permission.startsWith(rule.slice(0, -1)))

export type Verdict = 'granted' | 'inherited' | 'denied' | 'none'

/** The verdict of a group on a permission, from its own rules and those of the groups it inherits. A denial wins. */
export const decide = (permission: string, own: readonly string[], inherited: readonly string[]): Verdict => {
  const isDenied = (rule: string): boolean => rule.startsWith('-') && covers(rule.slice(1), permission)
  if ([...own, ...inherited].some(isDenied)) return 'denied'
  if (own.some((rule) => covers(rule, permission))) return 'granted'
  return inherited.some((rule) => covers(rule, permission)) ? 'inherited' : 'none'
}

/** The own rules after a click on the permission: a rule for it is removed; otherwise it is denied if granted, and granted if not. */
export const toggle = (permission: string, own: readonly string[], inherited: readonly string[]): readonly string[] => {
  const without = own.filter((rule) => rule !== permission && rule !== `-${permission}`)
  if (without.length < own.length) return without
  const isOn = ['granted', 'inherited'].includes(decide(permission, own, inherited))
  return [...own, isOn ? `-${permission}` : permission]
}
