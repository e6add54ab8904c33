import { builtInAdmin } from './built-in-admin.ts'
import type { Decision, Rule } from './rules.ts'

const quote = (name: string) => `"${name}"`

const describeOrigin = ({ group, path }: Rule): string => {
  const named = `${group === builtInAdmin.name ? 'built-in ' : ''}group ${quote(group)}`
  const heirs = path.slice(0, -1)
  const first = heirs[0]
  if (first === undefined) return named
  const between = heirs.slice(1).map(quote)
  return `${named}, inherited by ${quote(first)}${between.length > 0 ? ` through ${between.join(', then ')}` : ''}`
}

const describeRule = (rule: Rule) => `the rule "${rule.takesAway ? '-' : ''}${rule.pattern}" of ${describeOrigin(rule)}`

/** One sentence for a person: the rule that decided, the group that states it and the inheritance that led there, or what is missing. */
export const describeDecision = (decision: Decision, permission: string): string => {
  const name = quote(permission)
  if (decision.reason === 'not-granted') return `${name} is not granted: no rule of the groups speaks of it.`
  const rule = describeRule(decision.rule)
  if (decision.reason === 'taken-away') return `${name} is taken away by ${rule}.`
  if (decision.reason === 'granted') return `${name} is granted by ${rule}.`
  return `${name} is granted by ${rule}, but needs a verified sign-in: one by password, or by an identity provider.`
}
