import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allRoutes } from '../../functions/all-routes.ts'
import { commands } from '../../realtime/commands/commands.ts'
import { catalogue, configNames } from '../../shared/domain/configs/catalogue.ts'
import { parseConfig } from '../../shared/domain/configs/reading/parse-config.ts'
import { changePermissions } from '../../shared/domain/configs/server/server-config.ts'
import { decidePermission, isPrivileged } from '../../shared/domain/permissions/decide-permission.ts'
import { gamePermissions } from '../../shared/domain/permissions/game-permissions.ts'
import { knownPermissions } from '../../shared/domain/permissions/known-permissions.ts'
import { createPermissions } from '../../shared/domain/permissions/permissions.ts'
import { root } from './made-files.ts'

/** One use of a permission, with the text of its declaration. */
type Opening = { readonly permission: string; readonly privileged: boolean; readonly opens: string }

const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
/** `/api/admin/configs/*name` in the notation of OpenAPI. */
const addressOf = (path: string): string => path.replaceAll(/[:*](\w+)/g, '{$1}')

const listOpenings = (): readonly Opening[] => [
  ...gamePermissions,
  ...commands.map(({ name, description, permission, privileged }) => ({
    permission,
    privileged,
    opens: `\`/${name}\`: ${asSentence(description)}`,
  })),
  ...allRoutes.map(({ method, path, permission, summary }) => ({
    permission,
    privileged: isPrivileged(permission),
    opens: `\`${method.toUpperCase()} ${addressOf(path)}\`: ${asSentence(summary)}`,
  })),
  ...[...changePermissions]
    .filter(([, permission]) => permission !== '*')
    .map(([pointer, permission]) => ({
      permission,
      privileged: true,
      opens: `Changing \`${pointer.slice(1).replaceAll('/', '.')}\` in \`server.yaml\`, besides \`admin.configs.write\`.`,
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

/** The names of starter groups with a permission. */
const createHolders = () => {
  const permissions = readStarterGroups()
  const sets = permissions.groupNames().map((name) => ({ name, rules: permissions.rulesFor([name]) }))
  return (permission: string): readonly string[] =>
    sets
      .filter(({ rules }) => decidePermission(rules, permission, { verified: true, privileged: true }).allowed)
      .map(({ name }) => name)
}

const areas: readonly (readonly [prefix: string, heading: string])[] = [
  ['game.', 'Joining'],
  ['world.', 'In the game'],
  ['zone.', 'In zones'],
  ['command.', 'Commands'],
  ['admin.', 'Administration over HTTP'],
]

/** The explanation of permissions, before their table. */
const permissionsIntro: readonly string[] = [
  '## How the server decides',
  '',
  'Groups give permissions, in `groups.yaml`: by name, by a star for all below (`admin.users.*`), or `*` for everything. Groups inherit from others. A leading `-` denies a permission, and a denial wins.',
  '',
  'Grants give an account a group or one permission in addition, until a time or permanently. They are part of the account and end by themselves.',
  '',
  'Places: a grant with `world` or `zone` counts only there. Building checks the place of the block, a command the place of its player, a route the world or zone that it names. Building inside an enabled zone needs `zone.build` and `world.build`.',
  '',
  'A privileged permission counts only after a verified sign-in, with a password or through an identity provider. Every `admin.` permission is privileged.',
  '',
  'The server checks in this order: ban, disabled command, permission, verified sign-in, mute (chat commands), zone. `/why EMAIL PERMISSION` and `GET /api/admin/explain` list every check, the rule, its group and the grant with its end.',
  '',
  '## Recipes',
  '',
  '1. A player cannot build: `/why friend@example.com world.build`. If the player is in a zone, the answer names it.',
  '2. A helper for one weekend: `/grant friend@example.com moderator 2d`. `/ungrant friend@example.com moderator` ends it sooner. Do not grant `admin.users.write` for a time: its holder can give others permanent permissions.',
  '3. A builder in one zone until Sunday: `POST /api/admin/users/friend@example.com/grants` with `{"group": "builder", "zone": "…", "until": "2026-11-29T22:00:00Z"}`. `/zones` shows the id of the zone.',
  '4. A permanent member: `/rbac:addgroup friend@example.com builder`.',
  '5. Remove one permission from a whole group: add `-command.say` to its `permissions` in `groups.yaml`, check the dry run, then `/reload`.',
  '',
  '"Held by" below lists the built-in group `admin` and the groups of a new data folder.',
]

const firstSentence = (text: string): string => /^.*?[.!?](?= |$)/.exec(text)?.[0] ?? text

/** What a permission opens, in at most two sentences: without addresses of routes. */
const summarize = (openings: readonly Opening[]): string =>
  openings
    .slice(0, 2)
    .map(({ opens }) => firstSentence(opens.replace(/^`[A-Z]+ [^`]*`: /, '').replaceAll('`', '')))
    .join(' ')

/** The known permissions by area, for the matrix of the console. */
export const createPermissionList = (): string => {
  const openings = listOpenings()
  const lines = areas.flatMap(([prefix, area]) =>
    knownPermissions
      .filter((name) => name.startsWith(prefix))
      .map((name) => {
        const of = openings.filter(({ permission }) => permission === name)
        const isPrivileged = of.some(({ privileged }) => privileged)
        return `  ${JSON.stringify({ name, area, opens: summarize(of), isPrivileged })},`
      }),
  )
  return [
    '// Made by `npm run generate`; do not edit.',
    'export const knownPermissions: readonly {',
    '  readonly name: string',
    '  readonly area: string',
    '  readonly opens: string',
    '  readonly isPrivileged: boolean',
    '}[] = [',
    ...lines,
    ']',
    '',
  ].join('\n')
}

/**
 * The text of `docs/permissions.md`. Throws for a known permission without a declaration, and for a declared one that is
 * unknown.
 */
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
    ...permissionsIntro,
    '',
    ...sections,
  ].join('\n')
}
