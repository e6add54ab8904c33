import { listProbes, unnamedPart } from './covers-rules.ts'
import { decidePermission } from './decide-permission.ts'
import type { RuleSet } from './rules.ts'

const asVerified = { verified: true, privileged: false } as const

/** A probe as people write it: what no rule names below a prefix is that prefix with a star. */
export const asPattern = (probe: string): string =>
  probe === unnamedPart ? '*' : probe.endsWith(`.${unnamedPart}`) ? `${probe.slice(0, -unnamedPart.length)}*` : probe

/**
 * A permission that `actor` lacks and of which `after` says something else than `before`: grants it, takes it away, or says nothing. As
 * a name, or as a pattern for what no rule names; undefined when there is none. Takes time proportional to the number of rules in all three.
 */
export const findForeignChange = (actor: RuleSet, before: RuleSet, after: RuleSet): string | undefined => {
  const isForeignChange = (permission: string): boolean =>
    decidePermission(before, permission, asVerified).reason !== decidePermission(after, permission, asVerified).reason &&
    !decidePermission(actor, permission, asVerified).allowed
  for (const rules of [after, before, actor])
    for (const probe of listProbes(rules)) if (isForeignChange(probe)) return asPattern(probe)
  return undefined
}
