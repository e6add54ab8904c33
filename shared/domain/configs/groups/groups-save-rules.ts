import { AppError, type Fault } from '../../../kernel/errors.ts'
import { letOthersWork } from '../../../kernel/turns.ts'
import type { GrantHolder } from '../../permissions/account-grant.ts'
import { builtInAdmin, type GroupDefinition } from '../../permissions/built-in-admin.ts'
import { compileRules } from '../../permissions/compile-rules.ts'
import { coversRules, findForeignChange } from '../../permissions/covers-rules.ts'
import { decidePermission } from '../../permissions/decide-permission.ts'
import type { GroupsConfig } from '../../permissions/groups-config.ts'
import { operatorRules } from '../../permissions/operator-rules.ts'
import type { Decision, Rule, RuleSet } from '../../permissions/rules.ts'

/** Groups as they are stored, and as they shall be. */
export type GroupsTransition = { readonly current: GroupsConfig; readonly next: GroupsConfig }

const writing = 'admin.configs.write'
/** Rules of all groups with what they inherit, before and after: 50 groups of 500 rules are 50,000. */
const rulesMax = 300_000

type Definitions = ReadonlyMap<string, GroupDefinition>

const indexGroups = ({ groups }: GroupsConfig): Definitions => new Map(groups.map((group) => [group.name, group]))

const decideWriting = (config: GroupsConfig, { groups, grants }: GrantHolder): Decision =>
  decidePermission(compileRules(indexGroups(config), groups, grants), writing, { verified: true, privileged: true })

const groupsOf = ({ groups, grants = [] }: GrantHolder): readonly string[] => [
  ...new Set([...groups, ...grants.flatMap(({ group }) => group ?? [])]),
]

/** Where in `groups` a rule is written, else the rules of its group, else the list of groups. */
const pointAt = ({ groups }: GroupsConfig, rule: Rule | undefined): string => {
  const group = groups.findIndex(({ name }) => name === rule?.group)
  const position = groups[group]?.permissions.indexOf(`-${rule?.pattern ?? ''}`) ?? -1
  if (group === -1) return '/groups'
  return position === -1 ? `/groups/${group}/permissions` : `/groups/${group}/permissions/${position}`
}

/** A fault where `writer`, of whom `grants` are those that count, could not write configs any more by `next`, so that nobody locks themselves out. */
export const findLostWriting = ({ current, next }: GroupsTransition, writer: GrantHolder): readonly Fault[] => {
  const decision = decideWriting(next, writer)
  if (decision.allowed) return []
  const fix =
    decision.rule === undefined
      ? `grant it to one of your groups (${groupsOf(writer).join(', ')})`
      : `take "-${decision.rule.pattern}" away`
  const message = `would leave you without ${writing}, and you could not fix it: ${fix}`
  return [{ pointer: pointAt(next, decision.rule ?? decideWriting(current, writer).rule), message }]
}

const refuse = (what: string, permission: string) =>
  new AppError(
    'forbidden',
    'beyond-own-permissions',
    `${what} would change in "${permission}", which you lack: leave that as it is, or ask somebody who holds it.`,
  )

const refuseTooMany = () =>
  new AppError(
    'unprocessable',
    'invalid-config',
    'Nothing was saved. With inheritance these groups hold too many rules to compare with what you may: inherit less, or ask somebody who holds "*".',
  )

/**
 * Throws `forbidden` `beyond-own-permissions` where a group, or what new accounts get, would say something else of a permission that `actor` lacks. Granting it, taking it away and no longer taking it away all count. Holders of everything may change everything.
 * Takes under a second, between groups of which other work goes on: more than 300,000 rules in effect are refused.
 */
export const refuseForeignGroups = async (actor: RuleSet, { current, next }: GroupsTransition): Promise<void> => {
  if (coversRules(actor, operatorRules)) return
  const [before, after] = [indexGroups(current), indexGroups(next)]
  let ruleCount = 0
  const compare = async (what: string, groupsBefore: readonly string[], groupsAfter: readonly string[]): Promise<void> => {
    const [old, now] = [compileRules(before, groupsBefore), compileRules(after, groupsAfter)]
    ruleCount += old.rules.length + now.rules.length + actor.rules.length
    if (ruleCount > rulesMax) throw refuseTooMany()
    const permission = findForeignChange(actor, old, now)
    if (permission !== undefined) throw refuse(what, permission)
    await letOthersWork()
  }
  for (const name of new Set([...before.keys(), ...after.keys()]))
    if (name !== builtInAdmin.name) await compare(`The group "${name}"`, [name], [name])
  await compare('What new accounts get', current.defaultGroups, next.defaultGroups)
}
