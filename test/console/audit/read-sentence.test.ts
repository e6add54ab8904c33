import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { tellSentence } from '../../../console/audit/read-sentence.ts'

type Entry = Parameters<typeof tellSentence>[0]

const zone = '01890000-0000-7000-8000-000000000001'
const player = '01890000-0000-7000-8000-000000000002'
const names: Readonly<Record<string, string>> = { [zone]: 'Harbour', [player]: 'Jonas' }
const jonas = { email: 'jonas@example.com', playerId: player, displayName: 'Jonas', groups: ['default'], hasPassword: true }
const grant = { id: 'g', permission: 'zone.build', by: 'ada@example.com', at: '2026-01-01T00:00:00.000Z' }

const entryOf = (given: Partial<Entry> & Pick<Entry, 'action'>): Entry => ({
  id: '1',
  at: '2026-01-01T00:00:00.000Z',
  actor: 'ada@example.com',
  target: 'jonas@example.com',
  before: null,
  after: null,
  via: 'http',
  requestId: 'r',
  ...given,
})
const tell = (given: Partial<Entry> & Pick<Entry, 'action'>): string => tellSentence(entryOf(given), (_, id) => names[id] ?? id)
const change = (before: object, after: object, more: Partial<Entry> = {}): string =>
  tell({ action: 'account.update', before: { ...jonas, ...before }, after: { ...jonas, ...after }, ...more })

describe('a change of an account', () => {
  it.each([
    ['gave Jonas the group moderator.', {}, { groups: ['default', 'moderator'] }],
    ['took the groups a and b from Jonas.', { groups: ['a', 'b'] }, { groups: [] }],
    ['gave Jonas the group a and took the group default from them.', {}, { groups: ['a'] }],
    ['gave Jonas the permission zone.build.', {}, { grants: [grant] }],
    ['gave Jonas the permission zone.build in a zone for a time.', {}, { grants: [{ ...grant, zone, until: '2027' }] }],
    ['took the group vip in the world north from Jonas.', { grants: [{ id: 'g', group: 'vip', world: 'north' }] }, {}],
    ['renamed Jonas to Jo.', {}, { displayName: 'Jo' }],
    ['changed the email of Jonas to jo@example.com.', {}, { email: 'jo@example.com' }],
    ['changed the password of Jonas.', {}, { passwordChanged: true }],
    ['set a password for Jonas.', { hasPassword: false }, { passwordChanged: true }],
    // A list shortens long values.
    ['changed the account Jonas.', {}, { groups: { cut: 9000 } }],
  ])('says: %s', (sentence, before, after) => {
    expect(change(before, after)).toBe(sentence)
  })

  it('reads as undone, with the sides exchanged', () => {
    expect(change({ groups: ['default', 'moderator'] }, {}, { undoes: '0' })).toBe('undid: gave Jonas the group moderator.')
    expect(change({ displayName: 'Jo' }, { displayName: 'Jonas' }, { undoes: '0' })).toBe('undid: renamed Jonas to Jo.')
  })
})

const ban = { kind: 'ban', email: 'jonas@example.com', reason: 'Griefing' }
const states = { none: { disabledBySelf: [], disabledByOthers: [] }, fly: { disabledBySelf: [], disabledByOthers: ['fly'] } }

/** One entry for each action that the server writes, and its sentence. */
const sentences: readonly (readonly [string, Partial<Entry> & Pick<Entry, 'action'>])[] = [
  ['claimed this server.', { action: 'account.claim' }],
  ['added the account Jonas.', { action: 'account.create', after: jonas }],
  ['deleted the account Jonas.', { action: 'account.delete', before: jonas }],
  ['undid: deleted the account Jonas.', { action: 'account.create', after: jonas, undoes: '0' }],
  ['merged the account Jonas into jo@example.com.', { action: 'account.delete', before: jonas, mergedInto: 'jo@example.com' }],
  [
    'took the permission zone.build from Jonas.',
    { action: 'account.grants-ended', before: { ...jonas, grants: [grant] }, after: jonas },
  ],
  ['tried many wrong passwords for jonas@example.com.', { action: 'account.guessed', after: { failures: {} } }],
  ['linked Jonas to the identity provider.', { action: 'account.link', before: jonas, after: jonas }],
  ['tried to register jonas@example.com again.', { action: 'account.register-again' }],
  ['created a reset link for jonas@example.com.', { action: 'account.reset-link', after: { until: '2027' } }],
  ['gave Jonas the group a.', { action: 'account.update', before: jonas, after: { ...jonas, groups: ['default', 'a'] } }],
  ['sent an announcement to all players.', { action: 'announcement', target: 'everybody', after: { text: 'Hi' } }],
  ['sent an announcement to north.', { action: 'announcement', target: 'north', after: { text: 'Hi', world: 'north' } }],
  ['created a backup.', { action: 'backup.create', target: 'backups', after: {} }],
  ['deleted the backup 2026-01-01.', { action: 'backup.delete', target: '2026-01-01', before: {} }],
  ['downloaded the backup 2026-01-01.', { action: 'backup.download', target: '2026-01-01', after: {} }],
  ['checked the backup 2026-01-01.', { action: 'backup.verify', target: '2026-01-01', after: {} }],
  ['reloaded the settings.', { action: 'config.reload', target: 'all', after: {} }],
  ['reloaded chat.yaml.', { action: 'config.reload', target: 'chat.yaml', after: {} }],
  ['changed 2 settings in server.yaml.', { action: 'config.save', target: 'server.yaml', after: { changed: ['/a', '/b'] } }],
  ['changed 51 settings in users.yaml.', { action: 'config.save', target: 'users.yaml', after: { changed: ['/a'], more: 50 } }],
  ['changed chat.yaml.', { action: 'config.save', target: 'chat.yaml', after: { changed: [] } }],
  [
    'undid: changed 1 setting in server.yaml.',
    { action: 'config.save', target: 'server.yaml', after: { changed: ['/a'] }, undoes: '0' },
  ],
  ['could not save server.yaml.', { action: 'config.save-failed', target: 'server.yaml' }],
  ['created an invitation.', { action: 'invitation.create', target: 'id', after: {} }],
  ['revoked an invitation.', { action: 'invitation.remove', target: 'id', before: {} }],
  ['cancelled a job.', { action: 'job.cancel', target: 'id', before: {} }],
  ['loaded the module parkour again.', { action: 'module.reload', target: 'parkour' }],
  [
    'erased data of the deleted account Jonas in the module parkour.',
    { action: 'module-player.erase', target: `parkour/players/${player}` },
  ],
  [
    'changed data of Jonas in the module parkour.',
    { action: 'module-player.update', target: `parkour/players/${player}`, after: {} },
  ],
  [
    'deleted data of Jonas in the module parkour.',
    { action: 'module-player.delete', target: `parkour/players/${player}`, before: {} },
  ],
  [
    'changed the module record parkour/records/course/1.',
    { action: 'module-record.update', target: 'parkour/records/course/1', after: {} },
  ],
  [
    'deleted the module record parkour/records/course/1.',
    { action: 'module-record.delete', target: 'parkour/records/course/1', before: {} },
  ],
  [
    'undid: deleted the module record parkour/records/course/1.',
    { action: 'module-record.update', target: 'parkour/records/course/1', after: {}, undoes: '0' },
  ],
  ['kicked jonas@example.com.', { action: 'player.kick', after: { reason: 'Away' } }],
  ['sent a message to jonas@example.com. × 3', { action: 'player.message', after: { text: 'Hi' }, count: 3 }],
  ['teleported jonas@example.com.', { action: 'player.teleport', before: {}, after: {} }],
  ['switched /fly off for jonas@example.com.', { action: 'player.disable-command', before: states.none, after: states.fly }],
  ['switched /fly on for jonas@example.com.', { action: 'player.enable-command', before: states.fly, after: states.none }],
  [
    'undid: switched /fly off for jonas@example.com.',
    { action: 'player.enable-command', before: states.fly, after: states.none, undoes: '0' },
  ],
  ['reported a problem.', { action: 'report.create', target: 'id', after: {} }],
  ['closed a report.', { action: 'report.update', target: 'id', before: { state: 'open' }, after: { state: 'closed' } }],
  ['opened a report again.', { action: 'report.update', target: 'id', before: { state: 'closed' }, after: { state: 'open' } }],
  ['wrote a note on a report.', { action: 'report.update', target: 'id', before: { state: 'open' }, after: { state: 'open' } }],
  ['banned jonas@example.com.', { action: 'sanction.create', after: ban }],
  ['lifted the ban of jonas@example.com.', { action: 'sanction.end', before: ban, after: ban }],
  ['undid: banned jonas@example.com.', { action: 'sanction.end', before: ban, after: ban, undoes: '0' }],
  ['banned jonas@example.com again.', { action: 'sanction.reinstate', before: ban, after: ban }],
  ['undid: lifted the ban of jonas@example.com.', { action: 'sanction.reinstate', before: ban, after: ban, undoes: '0' }],
  ['created the API token CI for jonas@example.com.', { action: 'token.create', after: { name: 'CI' } }],
  ['deleted the API token CI of jonas@example.com.', { action: 'token.delete', before: { name: 'CI' } }],
  ['used the API token CI of jonas@example.com.', { action: 'token.use', after: { name: 'CI' } }],
  ['created the world north.', { action: 'world.create', target: 'north', after: { name: 'north' } }],
  ['deleted the world north.', { action: 'world.delete', target: 'north', before: { name: 'north' } }],
  ['imported the world north.', { action: 'world.import', target: 'north', after: { sizeBytes: 1 } }],
  ['generated land in north.', { action: 'world.pregen', target: 'north', after: { radius: 4 } }],
  [
    'renamed the world north to south.',
    { action: 'world.rename', target: 'north', before: { name: 'north' }, after: { name: 'south' } },
  ],
  ['rolled back blocks in north.', { action: 'world.rollback', target: 'north', after: {} }],
  ['undid: rolled back blocks in north.', { action: 'world.rollback', target: 'north', after: {}, undoes: '0' }],
  ['moved the spawn of north.', { action: 'world.spawn', target: 'north', after: { x: 0 } }],
  ['reset the spawn of north.', { action: 'world.spawn', target: 'north', before: { x: 0 } }],
  ['created the zone Harbour.', { action: 'zone.create', target: zone, after: { name: 'Harbour' } }],
  ['changed the zone Harbour.', { action: 'zone.update', target: zone, before: { name: 'Port' }, after: { name: 'Harbour' } }],
  ['deleted the zone Harbour.', { action: 'zone.delete', target: zone, before: { name: 'Harbour' } }],
  ['deleted the zone Harbour.', { action: 'zone.delete', target: zone }],
  ['undid: created the zone Harbour.', { action: 'zone.delete', target: zone, before: { name: 'Harbour' }, undoes: '0' }],
  ['edited blocks in the zone Harbour.', { action: 'zone.edit', target: zone, after: { blocks: 3 } }],
  [
    'edited blocks in the zone Harbour, but the server could not save the edit.',
    { action: 'zone.edit-undone', target: zone, after: { blocks: 3 } },
  ],
  ['took the snapshot May of the zone Harbour.', { action: 'zone.snapshot', target: zone, after: { name: 'May' } }],
  ['restored the zone Harbour from the snapshot May.', { action: 'zone.restore', target: zone, after: { name: 'May' } }],
  ['deleted the snapshot May of the zone Harbour.', { action: 'zone.snapshot-delete', target: zone, before: { name: 'May' } }],
]

it.each(sentences)('says: %s', (sentence, given) => {
  expect(tell(given)).toBe(sentence)
})

/** The actions in the code of the server: `action: 'world.rename'`, `auditAccount(deps, actor, 'account.update', …)`. */
const listWritten = async (): Promise<readonly string[]> => {
  const root = join(import.meta.dirname, '../../..')
  const found = new Set<string>()
  for (const folder of ['shared/domain', 'functions', 'realtime'])
    for (const name of await readdir(join(root, folder), { recursive: true })) {
      if (!name.endsWith('.ts')) continue
      const text = await readFile(join(root, folder, name), 'utf8')
      if (!/createAuditEntry|auditAccount|audit: \{ action|AuditEntry\b|player\.disable-command/.test(text)) continue
      const literal =
        /(?<=action(?:: | = |:\s*\n\s*)|auditAccount\([^()]*?|append\(socket, |\? |: )'([a-z]+(?:-[a-z]+)*(?:\.[a-z-]+)|announcement)'/g
      for (const [, action = ''] of text.matchAll(literal)) found.add(action)
    }
  return [...found].filter((action) =>
    /^(account|announcement|backup|config|invitation|job|module|player|report|sanction|token|world|zone)\b/.test(action),
  )
}

it('has a sentence for each action that the server writes', async () => {
  const written = await listWritten()
  expect(written.length).toBeGreaterThan(40)
  const known = new Set(sentences.map(([, { action }]) => action))
  expect(written.filter((action) => !known.has(action))).toEqual([])
  expect(sentences.filter(([sentence]) => sentence.startsWith('did '))).toEqual([])
  expect(tell({ action: 'guild.found', target: 'Owls' })).toBe('did “guild.found” to Owls.')
})
