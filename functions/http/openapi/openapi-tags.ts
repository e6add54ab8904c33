/** The chapters of the description in reading order, each with the parts of addresses that belong to it. */
const chapters: readonly { readonly name: string; readonly description: string; readonly parts: readonly string[] }[] = [
  { name: 'sign-in', description: 'Sign in and out, tokens, and your own account.', parts: ['auth'] },
  {
    name: 'accounts',
    description: 'Accounts, groups, grants, invitations and API tokens of others.',
    parts: ['users', 'groups', 'invitations', 'tokens', 'explain'],
  },
  {
    name: 'moderation',
    description: 'Bans, mutes, warnings, the reports of players and the chat log.',
    parts: ['sanctions', 'reports', 'chat'],
  },
  {
    name: 'players',
    description: 'Connected players: list, message, move and remove them.',
    parts: ['players', 'announcements'],
  },
  { name: 'worlds', description: 'Worlds, their terrain, maps and block history.', parts: ['worlds', 'chunks'] },
  { name: 'zones', description: 'Zones with their rules, blocks and snapshots.', parts: ['instances', 'blocks'] },
  { name: 'feeds', description: 'Live changes of a zone or a world over WebSocket.', parts: ['ws'] },
  {
    name: 'configs',
    description: 'Config files with their schemas and previous texts.',
    parts: ['configs', 'config-files', 'config-revisions', 'schemas', 'reload'],
  },
  { name: 'classes', description: 'Player classes and their skills.', parts: ['classes', 'skills'] },
  {
    name: 'modules',
    description: 'Modules of the server: their state, their stored values, and their messages.',
    parts: ['modules'],
  },
  { name: 'audit', description: 'The log of changes, and how to undo them.', parts: ['audit'] },
  { name: 'operations', description: 'Jobs, backups and the load of nodes.', parts: ['jobs', 'backups', 'metrics', 'server'] },
  { name: 'service', description: 'Health, real-time nodes, pages and this description.', parts: [] },
]

const partOf = (path: string): string | undefined =>
  /^\/api\/admin\/([\w-]+)|^\/(?:api\/)?(auth|classes|modules)\b/.exec(path)?.slice(1).find(Boolean)

/** The chapter of an address; `service` for addresses of no other one. */
export const tagOf = (path: string): string => {
  const part = partOf(path)
  return chapters.find(({ parts }) => part !== undefined && parts.includes(part))?.name ?? 'service'
}

/** The tags of these addresses, in reading order. */
export const listTags = (paths: readonly string[]): readonly { readonly name: string; readonly description: string }[] => {
  const used = new Set(paths.map(tagOf))
  return chapters.filter(({ name }) => used.has(name)).map(({ name, description }) => ({ name, description }))
}
