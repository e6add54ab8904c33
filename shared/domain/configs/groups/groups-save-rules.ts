import { AppError, type Fault } from '../../../kernel/errors.ts'
import { letOthersWork } from '../../../kernel/turns.ts'
import type { GrantHolder } from '../../permissions/account-grant.ts'
import { compileRules } from '../../permissions/compile-rules.ts'
import { coversRules, findForeignChange } from '../../permissions/covers-rules.ts'
import { decidePermission } from '../../permissions/decide-permission.ts'
import { builtInAdmin, type GroupDefinition, type GroupsConfig } from '../../permissions/groups-config.ts'
import { operatorRules } from '../../permissions/operator-rules.ts'
import type { Decision, Rule, RuleSet } from '../../permissions/rules.ts'

/** The stored groups, and the new ones. */
export type GroupsTransition = { readonly current: GroupsConfig; readonly next: GroupsConfig }

const writing = 'admin.configs.write'
/** Rules of all groups including inherited ones, before and after: 50 groups of 500 rules are 50,000. */
const rulesMax = 300_000

type Definitions = ReadonlyMap<string, GroupDefinition>

const indexGroups = ({ groups }: GroupsConfig): Definitions => new Map(groups.map((group) => [group.name, group]))

const decideWriting = (config: GroupsConfig, { groups, grants }: GrantHolder): Decision =>
  decidePermission(compileRules(indexGroups(config), groups, grants), writing, { verified: true, privileged: true })

const groupsOf = ({ groups, grants = [] }: GrantHolder): readonly string[] => [
  ...new Set([...groups, ...grants.flatMap(({ group }) => group ?? [])]),
]

/** The JSON Pointer of a rule in `groups`, or of its group's rules, or of the list of groups. */
const pointAt = ({ groups }: GroupsConfig, rule: Rule | undefined): string => {
  const group = groups.findIndex(({ name }) => name === rule?.group)
  const position = groups[group]?.permissions.indexOf(`-${rule?.pattern ?? ''}`) ?? -1
  if (group === -1) return '/groups'
  return position === -1 ? `/groups/${group}/permissions` : `/groups/${group}/permissions/${position}`
}

/** A fault if `writer` could no longer write configs after `next`, so that they cannot lock themselves out. Their `grants` must be active. */
export const findLostWriting = ({ current, next }: GroupsTransition, writer: GrantHolder): readonly Fault[] => {
  const decision = decideWriting(next, writer)
  if (decision.allowed) return []
  const fix =
    decision.rule === undefined
      ? `grant it to one of your groups (${groupsOf(writer).join(', ')})`
      : `remove "-${decision.rule.pattern}"`
  const message = `would leave you without ${writing}, and you could not fix it: ${fix}`
  return [{ pointer: pointAt(next, decision.rule ?? decideWriting(current, writer).rule), message }]
}

const refuse = (what: string, permission: string) =>
  new AppError(
    'forbidden',
    'beyond-own-permissions',
    `The rules of ${what} for "${permission}" would change, and you do not have that permission. Leave them unchanged, or ask an admin who has it.`,
  )

const refuseTooMany = () =>
  new AppError(
    'unprocessable',
    'invalid-config',
    'Nothing was saved. These groups have too many rules, including inherited ones, to compare with your permissions. Inherit less, or ask an admin with "*".',
  )

/**
 * Throws `forbidden` `beyond-own-permissions` if the rules of a group or of new accounts change for a permission that `actor` lacks,
 * whether they grant it, deny it or stop denying it. An actor with all permissions may change everything. Takes less than a second and
 * yields between groups. Refuses more than 300,000 effective rules.
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
    if (name !== builtInAdmin.name) await compare(`the group "${name}"`, [name], [name])
  await compare('new accounts', current.defaultGroups, next.defaultGroups)
}
