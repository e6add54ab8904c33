import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allRoutes } from '../../functions/all-routes.ts'
import { commands } from '../../realtime/commands/commands.ts'
import { catalogue, configNames } from '../../shared/configs/catalogue.ts'
import { parseConfig } from '../../shared/configs/reading/parse-config.ts'
import { decidePermission, isPrivileged } from '../../shared/permissions/decide-permission.ts'
import { gamePermissions } from '../../shared/permissions/game-permissions.ts'
import { knownPermissions } from '../../shared/permissions/known-permissions.ts'
import { createPermissions } from '../../shared/permissions/permissions.ts'
import { root } from './made-files.ts'

/** One thing that a permission opens, as its declaration says it. */
type Opening = { readonly permission: string; readonly privileged: boolean; readonly opens: string }

const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
/** `/api/admin/configs/*name` as the contract writes it. */
const addressOf = (path: string): string => path.replaceAll(/[:*](\w+)/g, '{$1}')

const listOpenings = (): readonly Opening[] => [
  ...gamePermissions,
  ...commands.map(({ name, description, permission, privileged }) => ({
    ...{ permission, privileged },
    opens: `\`/${name}\`: ${asSentence(description)}`,
  })),
  ...allRoutes.map(({ method, path, permission, summary }) => ({
    ...{ permission, privileged: isPrivileged(permission) },
    opens: `\`${method.toUpperCase()} ${addressOf(path)}\`: ${asSentence(summary)}`,
  })),
  ...configNames
    .filter((name) => catalogue[name].readPermission !== 'admin.configs.read')
    .map((name) => ({ permission: catalogue[name].readPermission, privileged: true, opens: `Reading the config \`${name}\`.` })),
]

const readStarterGroups = () => {
  const parsed = parseConfig(catalogue['groups.yaml'], readFileSync(join(root, 'resources/starter/groups.yaml'), 'utf8'))
  if (!parsed.ok) throw new Error(`the starter groups are not valid: ${JSON.stringify(parsed.faults)}`)
  return createPermissions(parsed.value)
}

/** The names of starter groups that hold a permission. */
const createHolders = () => {
  const permissions = readStarterGroups()
  const sets = permissions.groupNames().map((name) => ({ name, rules: permissions.rulesFor([name]) }))
  return (permission: string): readonly string[] =>
    sets
      .filter(({ rules }) => decidePermission(rules, permission, { verified: true, privileged: true }).allowed)
      .map(({ name }) => name)
}

const areas: readonly (readonly [prefix: string, heading: string])[] = [
  ['game.', 'Coming in'],
  ['world.', 'In the game'],
  ['zone.', 'In zones'],
  ['command.', 'Commands'],
  ['admin.', 'Administration over HTTP'],
]

/** The text of `docs/permissions.md`. Throws where a permission is known that nothing declares, or declared and not known. */
export const createPermissionsPage = (): string => {
  const openings = listOpenings().filter(({ permission }) => permission !== 'none' && permission !== 'signed-in')
  const holdersOf = createHolders()
  const unknown = openings.filter(({ permission }) => !knownPermissions.includes(permission))
  if (unknown.length > 0)
    throw new Error(`not in known-permissions.ts: ${unknown.map(({ permission }) => permission).join(', ')}`)
  const rowOf = (permission: string): string => {
    const of = openings.filter((opening) => opening.permission === permission)
    if (of.length === 0) throw new Error(`nothing declares what ${permission} opens`)
    const privileged = of.some((opening) => opening.privileged) ? 'yes' : 'no'
    const opens = of.map((opening) => opening.opens.replaceAll('|', '\\|')).join('<br>')
    return `| \`${permission}\` | ${opens} | ${privileged} | ${holdersOf(permission).join(', ')} |`
  }
  const sections = areas.flatMap(([prefix, heading]) => {
    const names = knownPermissions.filter((name) => name.startsWith(prefix))
    const head = ['| Permission | Opens | Privileged | Held by |', '|---|---|---|---|']
    return names.length === 0 ? [] : [`## ${heading}`, '', ...head, ...names.map(rowOf), '']
  })
  return [
    '# Permissions',
    '',
    'Made from what routes, commands and the game declare by `npm run generate`; do not edit.',
    '',
    'Groups give permissions, in `groups.yaml`: by name, by a star for all below (`admin.users.*`), or `*` for everything; a leading `-` takes away, and taking away wins. A privileged one counts only after a verified sign-in: by password, or by an identity provider. "Held by" tells it of the built-in group `admin` and of the groups that a fresh data folder begins with. `/why EMAIL PERMISSION` names the rule that decides.',
    '',
    ...sections,
  ].join('\n')
}
