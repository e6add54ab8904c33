/** A grant counts everywhere, in one world, or in one zone. */
type PlaceKind = 'world' | 'zone'

/** Permissions of routes and feeds that name a world or a zone. A test holds the list to the routes. */
const administration: Readonly<Record<string, readonly PlaceKind[]>> = {
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

/** Why these count for the whole server or not at all. */
const everywhereOnly: Readonly<Record<string, string>> = {
  'game.join': 'is needed before a player is at any place',
  'world.fly': 'is not bound to a place',
  'command.disable.others': 'is about the commands of a player wherever they are',
}

/** Whether a grant of that permission for a world or a zone can ever decide something. */
export const canCountAt = (permission: string, kind: PlaceKind): boolean =>
  permission.startsWith('admin.')
    ? (administration[permission]?.includes(kind) ?? false)
    : !Object.hasOwn(everywhereOnly, permission)

/** Why a permission or a wildcard never counts in such a place alone, as the rest of a sentence that begins with its name. */
export const describeNowhere = (pattern: string, kind: PlaceKind): string =>
  everywhereOnly[pattern] ?? `opens nothing that is done in a ${kind} alone`
