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

/** One thing that a permission opens, as its declaration says it. */
type Opening = { readonly permission: string; readonly privileged: boolean; readonly opens: string }

const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
/** `/api/admin/configs/*name` as the contract writes it. */
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

/** How permissions are given, before the table of them. */
const permissionsIntro: readonly string[] = [
  '## How it is decided',
  '',
  'Groups give permissions, in `groups.yaml`: by name, by a star for all below (`admin.users.*`), or `*` for everything; groups inherit from others. A leading `-` takes away, and taking away wins.',
  '',
  'Grants give an account a group or one permission besides: until a time, or for good. They stand with the account, and their end needs nobody.',
  '',
  'Places: a grant with `world` or `zone` counts only there. Building asks at the block, a command where its player stands, a route at the world or the zone that it names. Building inside an enabled zone needs `zone.build` beside `world.build`.',
  '',
  'Privileged means that it counts only after a verified sign-in: by password, or by an identity provider. Every `admin.` permission is.',
  '',
  'The server checks in this order: bans, whether the command is switched off, the permission, the verified sign-in, for a command that speaks the mute, and the zone. `/why EMAIL PERMISSION` and `GET /api/admin/explain` answer with every check, the rule, its group and the grant with its end.',
  '',
  '## Recipes',
  '',
  '1. A player cannot build: `/why friend@example.com world.build`. While the player stands there, the answer names the zone.',
  '2. A helper for one weekend: `/grant friend@example.com moderator 2d`; `/ungrant friend@example.com moderator` ends it sooner. Do not grant `admin.users.write` for a time: its holder can give others permanently what they have.',
  '3. A builder in one zone until Sunday: `POST /api/admin/users/friend@example.com/grants` with `{"group": "builder", "zone": "…", "until": "2026-11-29T22:00:00Z"}`. `/zones` shows the id of the zone.',
  '4. A member for good: `/rbac:addgroup friend@example.com builder`.',
  '5. Everybody in a group loses one thing: add `-command.say` to its `permissions` in `groups.yaml`, look at the dry run, then `/reload`.',
  '',
  '"Held by" below tells it of the built-in group `admin` and of the groups that a fresh data folder begins with.',
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
    ...permissionsIntro,
    '',
    ...sections,
  ].join('\n')
}
