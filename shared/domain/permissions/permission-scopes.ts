/** A grant counts everywhere, in one world, or in one zone. */
type ScopeKind = 'world' | 'zone'

/** Permissions of routes and feeds that name a world or a zone. A test compares the list with the routes. */
const administration: Readonly<Record<string, readonly ScopeKind[]>> = {
  'admin.announcements.write': ['world', 'zone'],
  'admin.history.read': ['world', 'zone'],
  'admin.history.write': ['world', 'zone'],
  'admin.instances.read': ['world', 'zone'],
  'admin.instances.write': ['world', 'zone'],
  'admin.players.kick': ['world', 'zone'],
  'admin.players.message': ['world', 'zone'],
  'admin.players.teleport': ['world', 'zone'],
  'admin.players.write': ['world', 'zone'],
  'admin.worlds.read': ['world'],
  'admin.worlds.write': ['world'],
}

/** The reasons why these permissions only count everywhere. */
const everywhereOnly: Readonly<Record<string, string>> = {
  'game.join': 'is needed before a player is at any place',
  'world.fly': 'is not bound to a place',
  'command.disable.others': 'is about a player’s commands at any place',
}

/** Whether a grant of the permission for a world or a zone can have an effect. */
export const canCountAt = (permission: string, kind: ScopeKind): boolean =>
  permission.startsWith('admin.')
    ? (administration[permission]?.includes(kind) ?? false)
    : !Object.hasOwn(everywhereOnly, permission)

/** The reason why a permission or wildcard has no effect at such a scope, as the end of a sentence that starts with its name. */
export const describeNowhere = (pattern: string, kind: ScopeKind): string =>
  everywhereOnly[pattern] ?? `opens nothing that is done in a ${kind} alone`
