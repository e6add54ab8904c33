import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Account } from '../../../../../shared/domain/accounts/account.ts'
import type { Actor } from '../../../../../shared/domain/accounts/actor.ts'
import type { AuditLog } from '../../../../../shared/domain/audit/audit-log.ts'
import { createStoreAuditLog } from '../../../../../shared/domain/audit/store-audit-log.ts'
import { type ConfigEditor, createConfigEditor } from '../../../../../shared/domain/configs/editor/config-editor.ts'
import { createConfigParser } from '../../../../../shared/domain/configs/reading/config-parser.ts'
import { createFindUnsafe } from '../../../../../shared/domain/configs/server/startup-checks.ts'
import type { ConfigFiles } from '../../../../../shared/domain/configs/texts/config-files.ts'
import { createEmbeddedConfigFiles } from '../../../../../shared/domain/configs/texts/embedded/config-files-embedded.ts'
import type { AccountGrant } from '../../../../../shared/domain/permissions/account-grant.ts'
import { createPermissionNames } from '../../../../../shared/domain/permissions/permission-names.ts'
import { createUndoConfigs } from '../../../../../shared/domain/undo/undo-configs.ts'
import { AppError } from '../../../../../shared/kernel/errors.ts'
import { systemIds } from '../../../../../shared/kernel/ids.ts'
import { createMemoryStore } from '../../../../../shared/platform/storage/memory-store.ts'
import { rulesOf } from '../../../../support/accounts/groups.ts'
import { classConfigs } from '../../../../support/configs/class-configs.ts'
import { createFixedConfigs } from '../../../../support/configs/fixed-configs.ts'
import { createTempDir } from '../../../../support/processes/temp-dir.ts'
import { createFixedClock } from '../../../../support/time/fixed-clock.ts'
import { silentLog } from '../../../../support/time/silent-log.ts'

const bundledDir = resolve(import.meta.dirname, '../../../../../resources/config')

const actorWith = (...rules: string[]): Actor => ({
  email: 'ann@example.com',
  playerId: 'ann',
  displayName: 'Ann',
  verified: true,
  rules: rulesOf(...rules),
  via: 'http',
  requestId: 'r',
})
const environment = {
  baseUrl: 'http://127.0.0.1:3000',
  role: 'http',
  allowPasswordless: false,
  readSecret: () => undefined,
} as const
const admin = actorWith('*')

describe('the editor of configs', () => {
  let temp: Awaited<ReturnType<typeof createTempDir>>
  let files: ConfigFiles
  let audit: AuditLog
  let account: Pick<Account, 'groups' | 'grants'> | undefined

  /** The editor of one process. All editors share the folder and the audit log. */
  const openEditor = (over: { audit?: Pick<AuditLog, 'append'>; host?: string } = {}): ConfigEditor =>
    createConfigEditor({
      files,
      audit: over.audit ?? audit,
      configs: createFixedConfigs(),
      permissionNames: createPermissionNames(),
      checkModuleSettings: async () => ({ modules: [], warnings: [] }),
      parser: createConfigParser({ inlineBytesMax: 100_000 }),
      accountStore: {
        findByPlayerId: async () =>
          account && {
            email: 'ann@example.com',
            playerId: 'ann',
            displayName: 'Ann',
            createdAt: '2026-01-01T00:00:00Z',
            ...account,
          },
      },
      findUnsafe: createFindUnsafe({ ...environment, host: over.host ?? '127.0.0.1' }),
      describeImpact: async () => ({ connected: 0, warnings: [] }),
      clock: createFixedClock(),
      ids: systemIds,
      log: silentLog,
    })
  const write = async (name: string, text: string | Uint8Array) => {
    await mkdir(join(temp.path, 'config', 'skills'), { recursive: true })
    await writeFile(join(temp.path, 'config', name), text)
  }
  const listAudit = async () => (await audit.listEntries({ limit: 200 })).entries

  beforeEach(async () => {
    temp = await createTempDir()
    const store = createMemoryStore()
    audit = createStoreAuditLog(store)
    account = { groups: ['admin'] }
    files = createEmbeddedConfigFiles({ dataDir: temp.path, bundledDir, store, clock: createFixedClock(), ids: systemIds })
  })
  afterEach(() => temp.remove())

  it.each(['users.yaml', '../config/groups.yaml', 'Groups.yaml', '__proto__', ''])(
    'treats %j as an unknown name in every operation',
    async (name) => {
      const editor = openEditor()
      await write('users.yaml', 'users: []\n')
      for (const attempt of [
        () => editor.read(name, admin),
        () => editor.save(name, 'groups: []\n', { actor: admin }),
        () => editor.rehearse(name, 'groups: []\n', { actor: admin }),
        () => editor.revisions(name, admin),
        () => editor.getRevision(name, 'x', admin),
      ])
        await expect(attempt()).rejects.toMatchObject({ kind: 'not-found' })
    },
  )

  it('reads and lists revisions only for verified holders of the permission of the file', async () => {
    const editor = openEditor()
    for (const actor of [actorWith('admin.configs.write'), { ...admin, verified: false }])
      for (const attempt of [
        () => editor.read('groups.yaml', actor),
        () => editor.revisions('groups.yaml', actor),
        () => editor.getRevision('groups.yaml', 'x', actor),
      ])
        await expect(attempt()).rejects.toMatchObject({ kind: 'forbidden', slug: 'missing-permission' })
    expect(await editor.read('groups.yaml', actorWith('admin.configs.read'))).toMatchObject({ source: 'default' })
  })

  it('reports a stored file that is not text as broken, and a save replaces it', async () => {
    const editor = openEditor()
    await write('groups.yaml', Buffer.from([0xff, 0xfe, 0x00]))
    await expect(editor.read('groups.yaml', admin)).rejects.toMatchObject({ kind: 'unprocessable', slug: 'invalid-config' })
    await expect(editor.save('groups.yaml', 'groups: []\n', { actor: admin, ifEtag: 'x' })).rejects.toMatchObject({
      kind: 'stale',
    })
    await editor.save('groups.yaml', 'groups: []\n', { actor: admin })
    expect(await editor.read('groups.yaml', admin)).toMatchObject({ text: 'groups: []\n', source: 'data' })
  })

  it('refuses settings with which this process would not start, and names the fix', async () => {
    await write('server.yaml', 'auth: {local: {requirePassword: true}}\n')
    const editor = openEditor({ host: '0.0.0.0' })
    const save = (text: string) => editor.save('server.yaml', text, { actor: admin })
    await expect(save('auth: {local: {requirePassword: false}}\n')).rejects.toMatchObject({
      kind: 'unprocessable',
      slug: 'invalid-config',
      errors: [{ line: 1, message: expect.stringContaining('requirePassword to true') }],
    })
    await save('auth: {local: {requirePassword: true}}\nrealtime: {viewRadius: 4}\n')
  })

  it.each<[Pick<AccountGrant, 'permission' | 'group' | 'until' | 'world'>, string, boolean]>([
    [{ permission: 'admin.configs.write' }, 'groups: []\n', true],
    [{ group: 'admin', until: '2026-02-01T00:00:00Z' }, 'groups: []\n', true],
    [{ group: 'ops' }, 'groups: [{name: ops, permissions: [admin.configs.write]}]\n', true],
    [{ group: 'ops' }, 'groups: []\n', false],
    [{ group: 'admin', until: '2025-02-01T00:00:00Z' }, 'groups: []\n', false],
    [{ permission: 'admin.configs.write', world: 'north' }, 'groups: []\n', false],
  ])('includes the grants of the author of groups: %j and %j', async (grant, text, isSaved) => {
    account = { groups: ['player'], grants: [{ id: 'one', by: 'boss', at: '2026-01-01T00:00:00Z', ...grant }] }
    const saving = openEditor().save('groups.yaml', text, { actor: admin })
    if (isSaved) await saving
    else await expect(saving).rejects.toMatchObject({ slug: 'invalid-config' })
  })

  it('refuses to save groups after the account of the author is deleted', async () => {
    const editor = openEditor()
    account = undefined
    await expect(editor.save('groups.yaml', 'groups: []\n', { actor: admin })).rejects.toMatchObject({ kind: 'unprocessable' })
  })

  it('writes nothing when the audit log fails', async () => {
    const append = async () => {
      throw new AppError('unavailable', 'service-unavailable', 'away')
    }
    const editor = openEditor({ audit: { append } })
    await expect(editor.save('groups.yaml', 'groups: []\n', { actor: admin })).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await files.read('groups.yaml')).toMatchObject({ source: 'default' })
  })

  it('keeps audit entries small and without the content of the file', async () => {
    const groups = Array.from({ length: 300 }, (_, at) => ({
      name: `group-${at}`,
      permissions: ['world.build'],
      description: `hidden ${at}`,
    }))
    await openEditor().save('groups.yaml', JSON.stringify({ groups }), { actor: admin })
    const [entry] = await listAudit()
    const text = JSON.stringify(entry)
    expect(text.length).toBeLessThan(16_384)
    expect(text).not.toContain('hidden')
    expect(entry?.after).toMatchObject({ changed: expect.any(Array), more: 250 })
  })

  it('accepts one of two saves with the same tag from two processes', async () => {
    const { etag } = await files.read('groups.yaml')
    const saves = [openEditor(), openEditor()].flatMap((editor, one) =>
      [0, 1, 2].map((two) => editor.save('groups.yaml', `groups: [] # ${one} ${two}\n`, { actor: admin, ifEtag: etag })),
    )
    const results = await Promise.allSettled(saves)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject({ kind: 'stale' })
  })

  it('checks a save without a tag again when another process saved since the first check', async () => {
    const text = (player: string, clerk: string) =>
      `groups: [{name: player, permissions: [${player}]}, {name: writer, permissions: [admin.configs.*, command.who]}, {name: clerk, permissions: [${clerk}]}]\n`
    account = { groups: ['writer'] }
    await write('groups.yaml', text('', ''))
    const byAdmin = text('', 'admin.users.*')
    let overtaken = false
    const append: AuditLog['append'] = async (entries) => {
      await audit.append(entries)
      if (overtaken) return
      overtaken = true
      await openEditor().save('groups.yaml', byAdmin, { actor: admin })
    }
    const writer = actorWith('admin.configs.*', 'command.who')
    await expect(
      openEditor({ audit: { append } }).save('groups.yaml', text('command.who', ''), { actor: writer }),
    ).rejects.toMatchObject({ kind: 'forbidden', slug: 'beyond-own-permissions' })
    expect((await files.read('groups.yaml')).text).toBe(byAdmin)
    expect((await listAudit()).map(({ action }) => action).sort()).toEqual(['config.save', 'config.save', 'config.save-failed'])
  })

  it('refuses unknown permissions that a save adds, and keeps existing ones', async () => {
    const text = (...rules: string[]) => `groups: [{name: player, permissions: [world.buld, ${rules.join(', ')}]}]\n`
    await write('groups.yaml', text('world.build'))
    await expect(openEditor().save('groups.yaml', text('world.flyy'), { actor: admin })).rejects.toMatchObject({
      slug: 'unknown-permission',
      publicDetail: expect.stringContaining('world.flyy'),
    })
    expect(await openEditor().save('groups.yaml', text('world.fly'), { actor: admin })).toMatchObject({ effect: 'reload' })
  })

  it('can be undone, and the undo previewed, only with the permission of each key', async () => {
    const editor = openEditor()
    await editor.save('server.yaml', 'backups: {keep: {daily: 3}}\n', { actor: admin })
    const { etag } = await editor.save('server.yaml', 'backups: {keep: {daily: 4}}\n', { actor: admin })
    const entry = (await listAudit()).find(({ after }) => JSON.stringify(after)?.includes(etag))
    if (entry === undefined) throw new Error('the save is not in the audit log')
    const undo = createUndoConfigs({ configEditor: editor })
    await expect(undo.plan(entry, actorWith('admin.configs.*'))).rejects.toMatchObject({ kind: 'forbidden' })
    expect(await undo.plan(entry, admin)).toMatchObject({ would: { name: 'server.yaml', text: 'backups: {keep: {daily: 3}}\n' } })
  })

  it('loses no text of two processes that save without a tag', async () => {
    const editors = [openEditor(), openEditor()]
    const texts = Array.from({ length: 8 }, (_, at) => `groups: [] # ${at}\n`)
    await Promise.all(texts.map((text, at) => editors[at % 2]?.save('groups.yaml', text, { actor: admin })))
    const revisions = await files.revisions('groups.yaml')
    const earlier = await Promise.all(revisions.map(({ revision }) => files.findRevision('groups.yaml', revision)))
    const { text } = await files.read('groups.yaml')
    expect([text, ...earlier].filter((one) => one?.includes('#')).sort()).toEqual(expect.arrayContaining(texts))
  })

  it.each(['\uFEFF', '\uFEFF\uFEFF'])(
    'hides a byte order mark, keeps it through a save, and keeps an unchanged text as it is',
    async (mark) => {
      const editor = openEditor()
      const shown = '# Ours\r\ngroups: [] # none\r\n\n\ndefaultGroups: [player]   \r\n'
      await write('groups.yaml', mark + shown)
      const { text, etag } = await editor.read('groups.yaml', admin)
      expect(text).toBe(shown)
      expect((await editor.save('groups.yaml', text, { actor: admin, ifEtag: etag })).etag).toBe(etag)
      expect((await editor.save('groups.yaml', mark + text, { actor: admin, ifEtag: etag })).etag).toBe(etag)
      expect(await listAudit()).toEqual([])
      const edited = shown.replace('none', 'some')
      await editor.save('groups.yaml', edited, { actor: admin, ifEtag: etag })
      expect((await files.read('groups.yaml')).text).toBe(mark + edited)
      expect((await editor.read('groups.yaml', admin)).text).toBe(edited)
      const [revision] = await editor.revisions('groups.yaml', admin)
      expect(await editor.getRevision('groups.yaml', revision?.revision ?? '', admin)).toBe(shown)
    },
  )

  it('accepts the targets of a thousand references while another reference stays broken', async () => {
    const [spell] = Object.values(classConfigs.spells.spells)
    const [base] = Object.values(classConfigs.classes.classes)
    const names = (level: number) => Array.from({ length: 64 }, (_, at) => `many-${level}-${at}`)
    const levels = Object.fromEntries(Array.from({ length: 16 }, (_, at) => [at + 1, { attacks: [], spells: names(at) }]))
    const other = { ...base, levels: { 1: { attacks: [], spells: ['gone'] } } }
    await write('classes.yaml', JSON.stringify({ classes: { many: { ...base, levels }, other } }))
    await write('skills/spells.yaml', 'spells: {}\n')
    const mended = Object.fromEntries(Array.from({ length: 16 }, (_, at) => names(at).map((name) => [name, spell])).flat())
    const save = (spells: object) => openEditor().save('skills/spells.yaml', JSON.stringify({ spells }), { actor: admin })
    await expect(save(mended)).resolves.toMatchObject({ name: 'skills/spells.yaml' })
    const { [names(3)[0] ?? '']: _taken, ...less } = mended
    await expect(save(less)).rejects.toMatchObject({ slug: 'invalid-config' })
  })

  it('accepts one of two concurrent saves that are invalid together', async () => {
    for (const [name, value] of [
      ['skills/attacks.yaml', classConfigs.attacks],
      ['skills/spells.yaml', classConfigs.spells],
      ['classes.yaml', { classes: {} }],
    ] as const)
      await write(name, JSON.stringify(value))
    const editor = openEditor()
    const results = await Promise.allSettled([
      editor.save('classes.yaml', JSON.stringify(classConfigs.classes), { actor: admin }),
      editor.save('skills/attacks.yaml', 'attacks: {}\n', { actor: admin }),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  })
})
