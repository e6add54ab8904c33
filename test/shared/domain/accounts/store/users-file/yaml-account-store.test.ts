import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { AccountStore } from '../../../../../../shared/domain/accounts/store/account-store.ts'
import { createYamlAccountStore } from '../../../../../../shared/domain/accounts/store/users-file/yaml-account-store.ts'
import type { AuditLog } from '../../../../../../shared/domain/audit/audit-log.ts'
import { systemClock } from '../../../../../../shared/kernel/clock.ts'
import { describeAccountStore } from '../../../../../contracts/account-store-contract.ts'
import { auditEntryFor, createSwitchedAuditLog, isInAdmin, makeAccount } from '../../../../../support/accounts/stored-accounts.ts'
import { createTempDir } from '../../../../../support/processes/temp-dir.ts'
import { createFixedClock } from '../../../../../support/time/fixed-clock.ts'
import { createCapturedLog, silentLog } from '../../../../../support/time/silent-log.ts'

describeAccountStore('on users.yaml', async (deps) => {
  const dir = await createTempDir()
  const store = createYamlAccountStore({
    ...deps,
    path: join(dir.path, 'config', 'users.yaml'),
    clock: systemClock,
    log: silentLog,
  })
  return {
    store,
    dispose: async () => {
      await store.close()
      await dir.remove()
    },
  }
})

const handWritten = `# Accounts of the castle.
users:
  # the owner
  - email: "  Alice@Example.COM "   # typed with care
    playerId: 3f2c1a4e-5b6d-4c7e-8f90-a1b2c3d4e5f6
    displayName: 'Alice'
    groups:
      - admin   # forever
    createdAt: 2026-01-01T00:00:00Z

  - email: bob@example.com
    playerId: 4f2c1a4e-5b6d-4c7e-8f90-a1b2c3d4e5f6
    displayName: Bob
    groups: [player]
    createdAt: 2026-01-01T00:00:00Z
# the end
`

describe('users.yaml', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  let path: string
  let store: AccountStore
  let audit: ReturnType<typeof createSwitchedAuditLog>
  let clock: ReturnType<typeof createFixedClock>
  let captured: ReturnType<typeof createCapturedLog>
  let onAppend: () => Promise<void>

  const unreadable = { kind: 'unavailable', slug: 'accounts-unreadable' }
  const put = (email: string) => store.change(email, () => ({ next: makeAccount(email), audit: auditEntryFor(email), result: 0 }))
  const readText = () => readFile(path, 'utf8')
  /** Writes the file by hand, and waits until its modification time is reliable. */
  const edit = async (text: string | Uint8Array) => {
    await writeFile(path, text)
    clock.advance(50)
  }

  beforeEach(async () => {
    dir = await createTempDir()
    path = join(dir.path, 'config', 'users.yaml')
    await mkdir(dirname(path))
    clock = createFixedClock()
    captured = createCapturedLog()
    audit = createSwitchedAuditLog()
    onAppend = async () => {}
    const watched: AuditLog = {
      ...audit,
      append: async (entries) => {
        await onAppend()
        await audit.append(entries)
      },
    }
    store = createYamlAccountStore({ path, isAdministrator: isInAdmin, audit: watched, clock, log: captured.log })
  })
  afterEach(async () => {
    await store.close()
    await dir.remove()
  })

  it('finds an account by any form of its domain, and prefers the normalized one of two', async () => {
    const user = (email: string, id: string) =>
      `  - email: ${email}\n    playerId: ${id}f2c1a4e-5b6d-4c7e-8f90-a1b2c3d4e5f6\n    displayName: Ann ${id}\n    groups: [player]\n    createdAt: 2026-01-01T00:00:00Z\n`
    const one = `users:\n${user('Ann@MÜNCHEN.de', '3')}`
    await edit(one)
    expect(await store.findByEmail('ann@xn--mnchen-3ya.de')).toMatchObject({ displayName: 'Ann 3' })
    await edit(one + user('ann@xn--mnchen-3ya.de', '4'))
    expect(await store.findByEmail('ann@xn--mnchen-3ya.de')).toMatchObject({ displayName: 'Ann 4' })
    expect(await store.findByEmail('ann@münchen.de')).toMatchObject({ displayName: 'Ann 3' })
    await put('bob@example.com')
    expect(await readText()).toContain('ann@münchen.de')
    await edit(one + user('ann@münchen.de', '4'))
    await expect(store.findByEmail('bob@example.com')).rejects.toMatchObject(unreadable)
  })

  it('keeps the position and the comments of an account that moves to another email', async () => {
    await edit(handWritten)
    const to = 'alice@castle.example'
    await store.move('alice@example.com', to, (current) => ({ next: current && { ...current, email: to }, result: 0 }))
    expect(await readText()).toBe(handWritten.replace('"  Alice@Example.COM "', `"${to}"`).replaceAll('   #', ' #'))
  })

  it('is an empty list while it is absent or empty, and reading does not create it', async () => {
    expect(await store.listAccounts({ limit: 10 })).toEqual({ accounts: [] })
    await expect(readText()).rejects.toMatchObject({ code: 'ENOENT' })
    for (const text of ['', '# nobody yet\n', 'users:\n', 'users: []\n', '---\n', '{}\n', 'users: ~']) {
      await edit(text)
      expect(await store.listAccounts({ limit: 10 })).toEqual({ accounts: [] })
    }
  })

  it('adds the first account to every form of an empty file', async () => {
    for (const text of ['', '# nobody yet', 'users:', 'users: [] # none\n# yet\n', '---\n', '{}\n', '{"users":[]}', 'users: ~']) {
      await edit(text)
      await put('a@example.com')
      const [comment] = /# nobody yet/.exec(text) ?? ['users:']
      expect(await readText()).toContain(comment)
      await edit(await readText())
      expect(await store.listAccounts({ limit: 10 })).toMatchObject({ accounts: [{ email: 'a@example.com' }] })
    }
  })

  it('normalizes emails written by hand', async () => {
    await edit(handWritten)
    expect(await store.findByEmail('alice@example.com')).toMatchObject({ email: 'alice@example.com', displayName: 'Alice' })
    expect((await store.listAdministrators()).map(({ email }) => email)).toEqual(['alice@example.com'])
  })

  it('keeps comments, order and every unchanged byte', async () => {
    await edit(handWritten)
    await store.change('alice@example.com', (current) => ({
      next: current && { ...current, groups: ['admin', 'builder'] },
      result: 0,
    }))
    expect(await readText()).toBe(
      handWritten
        .replace('      - admin   # forever\n', '      - admin # forever\n      - builder\n')
        .replace('   # typed', ' # typed'),
    )
    await edit(handWritten)
    await store.change('bob@example.com', () => ({ next: undefined, result: 0 }))
    expect(await readText()).toBe(handWritten.replace(/ {2}- email: bob[^#]*/, ''))
    await edit(handWritten)
    await put('carol@example.com')
    expect(await readText()).toMatch(
      /^# Accounts of the castle\.[\s\S]*Bob[\s\S]*\n {2}- email: carol@example\.com\n[\s\S]*\n# the end\n$/,
    )
    expect((await readText()).replace(/ {2}- email: carol[^#]*/, '')).toBe(handWritten)
  })

  it('reflects a hand edit at once, in reads and versions', async () => {
    await put('a@example.com')
    const version = await store.version()
    await writeFile(path, handWritten)
    expect(await store.findByEmail('a@example.com')).toBeUndefined()
    expect(await store.findByEmail('bob@example.com')).toBeDefined()
    expect(await store.version()).not.toBe(version)
  })

  it('finds an account that was added elsewhere at the next read', async () => {
    await put('a@example.com')
    await writeFile(path, handWritten)
    expect(await store.findByEmail('bob@example.com')).toBeDefined()
    await put('b@example.com')
    await writeFile(path, handWritten.replace('5f6', '5f7'))
    expect(await store.findByPlayerId('3f2c1a4e-5b6d-4c7e-8f90-a1b2c3d4e5f7')).toMatchObject({ displayName: 'Alice' })
  })

  it('sees a hand edit right after a change of ours, even of the same length', async () => {
    for (let round = 0; round < 20; round += 1) {
      await put(`a${round}@example.com`)
      const text = await readText()
      const name = `displayName: ${round % 2 === 0 ? 'a0' : 'X0'}`
      await writeFile(path, text.replace(/displayName: .0/, name))
      clock.advance(50)
      expect(await store.findByEmail('a0@example.com')).toMatchObject({ displayName: name.slice(-2) })
    }
  })

  it('creates its folder again after it was removed', async () => {
    await put('a@example.com')
    await rm(dirname(path), { recursive: true })
    await put('b@example.com')
    expect(await readText()).toContain('b@example.com')
  })

  it('returns the latest state by every key right after a write elsewhere', async () => {
    const another = createYamlAccountStore({ path, isAdministrator: isInAdmin, audit, clock, log: captured.log })
    await store.change('bob@example.com', () => ({ next: { ...makeAccount('bob@example.com'), subject: 's' }, result: 0 }))
    const { playerId } = (await another.findByEmail('bob@example.com')) ?? {}
    for (let round = 0; round < 20; round += 1) {
      const groups = [`group${round % 2}`]
      await store.change('bob@example.com', (bob) => ({ next: bob && { ...bob, groups }, result: 0 }))
      const ways = [
        () => another.findByEmail('bob@example.com'),
        () => another.findByPlayerId(playerId ?? ''),
        () => another.findBySubject('s'),
      ]
      expect(await ways[round % 3]?.()).toMatchObject({ groups })
    }
    await another.close()
  })

  it('returns data no older than a version it returned before', async () => {
    await put('a@example.com')
    const version = await store.version()
    await writeFile(path, handWritten)
    expect(await store.version()).not.toBe(version)
    expect(await store.findByEmail('a@example.com')).toBeUndefined()
  })

  it('applies a change on top of a hand edit made a moment ago', async () => {
    await put('a@example.com')
    await writeFile(path, handWritten)
    await put('carol@example.com')
    expect((await store.listAccounts({ limit: 10 })).accounts.map(({ email }) => email)).toEqual([
      'alice@example.com',
      'bob@example.com',
      'carol@example.com',
    ])
  })

  it('loses no hand edit during a change, and audits that change once', async () => {
    await put('a@example.com')
    let edits = 0
    onAppend = async () => {
      edits += 1
      if (edits === 1) await writeFile(path, handWritten)
    }
    await put('carol@example.com')
    expect(await store.findByEmail('bob@example.com')).toBeDefined()
    expect(await store.findByEmail('carol@example.com')).toBeDefined()
    expect((await audit.listEntries({ limit: 10, target: 'carol@example.com' })).entries).toHaveLength(1)
  })

  it('fails with a clear error when the file is edited at every attempt', async () => {
    await edit(handWritten)
    let edits = 0
    onAppend = async () => {
      edits += 1
      await writeFile(path, `${handWritten}# ${edits}\n`)
    }
    const put20 = store.change('c@example.com', () => ({
      next: makeAccount('c@example.com'),
      audit: auditEntryFor(`${edits}@example.com`),
      result: 0,
    }))
    await expect(put20).rejects.toMatchObject({ kind: 'unavailable', slug: 'service-unavailable', retryAfterSeconds: 1 })
    expect(await readText()).toBe(`${handWritten}# ${edits}\n`)
  })

  it('keeps the file byte for byte when the audit log does not answer', async () => {
    await edit(handWritten)
    audit.switchOff()
    await expect(put('carol@example.com')).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await readText()).toBe(handWritten)
  })

  it('ignores a briefly empty file of an editor, and accepts one that stays empty', async () => {
    await edit(handWritten)
    expect(await store.findByEmail('bob@example.com')).toBeDefined()
    await edit('')
    const lookup = store.findByEmail('bob@example.com')
    for (let read = 0; read < 10; read += 1) await readText()
    await writeFile(path, handWritten)
    expect(await lookup).toBeDefined()
    await rm(path)
    clock.advance(250)
    expect(await store.findByEmail('bob@example.com')).toBeUndefined()
  })

  describe('that cannot be read', () => {
    const faults: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
      ['is not YAML', handWritten.replace("'Alice'", "'Alice"), /not valid YAML at line \d+, column \d+/],
      ['has a tab for an indent', handWritten.replace('    displayName: Bob', '\tdisplayName: Bob'), /not valid YAML at line 13/],
      ['has a duplicate key', handWritten.replace('displayName: Bob', 'email: bob@example.com'), /not valid YAML at line 13/],
      ['lacks a key', handWritten.replace('    displayName: Bob\n', ''), /"displayName" is required.* at line 11/],
      [
        'has an unknown key',
        handWritten.replace('displayName: Bob', 'displayName: Bob\n    colour: pink'),
        /a key is not a known key.* line 14, column 13/,
      ],
      ['has a number for a name', handWritten.replace('Bob', '7'), /"displayName" must be text.* at line 13, column 18/],
      [
        'has a playerId that is not a UUID',
        handWritten.replace('4f2c1a4e', 'nonsense'),
        /"playerId" must be a UUID.* at line 12/,
      ],
      ['has a duplicate email', handWritten.replace('bob@', 'ALICE@'), /two accounts with the same email at line 11, column 12/],
      ['has a duplicate playerId', handWritten.replace('4f2c1a4e', '3f2c1a4e'), /two accounts with the same playerId at line 12/],
      ['is a list', '- a\n', /not a mapping with the key "users" at line 1/],
      ['has other keys', `${handWritten}groups: []\n`, /a key besides "users" at line \d+/],
      ['has text for users', 'users: nobody\n', /a value other than a list.* at line 1, column 8/],
      ['has two documents', `${handWritten}---\nusers: []\n`, /not valid YAML/],
      ['is not UTF-8', Buffer.from(handWritten.replace('Bob', 'B\xf6b'), 'latin1'), /not UTF-8/],
      ['has an alias of nothing', handWritten.replace('[player]', '*players'), /YAML|aliases/],
      ['is an alias bomb', `users: [${'&a [x], '.repeat(2)}${'*a, '.repeat(10_000)}]`, /cannot be read/],
    ]

    it.each(faults)(
      'because it %s: refuses all reads and changes, reports the place, and writes nothing',
      async (_name, text, detail) => {
        await edit(handWritten)
        await store.findByEmail('bob@example.com')
        await edit(text)
        const refusals = await Promise.allSettled([
          store.findByEmail('bob@example.com'),
          store.findByPlayerId('x'),
          store.listAccounts({ limit: 1 }),
          store.listAdministrators(),
          store.version(),
          put('carol@example.com'),
          store.change('bob@example.com', () => ({ next: undefined, result: 0 })),
        ])
        for (const refusal of refusals)
          expect(refusal).toMatchObject({
            status: 'rejected',
            reason: { ...unreadable, publicDetail: expect.stringMatching(detail) },
          })
        expect(await readFile(path)).toEqual(Buffer.from(text))
        expect(JSON.stringify(refusals)).not.toMatch(/castle|alice|Bob|pink|3f2c1a4e|\/tmp|\/config/i)
      },
    )

    it('logs each version of it once, with the fault and its place', async () => {
      await edit(handWritten.replace('displayName: Bob', 'displayName: Bob\n    colour: pink'))
      for (let look = 0; look < 5; look += 1) {
        await expect(store.findByEmail('bob@example.com')).rejects.toMatchObject(unreadable)
        await expect(put('carol@example.com')).rejects.toMatchObject(unreadable)
        clock.advance(250)
      }
      expect(captured.lines).toMatchObject([{ fault: 'users[1]/colour is not a known key', line: 14, column: 13 }])
      await edit('users: nobody')
      await expect(store.findByEmail('bob@example.com')).rejects.toMatchObject(unreadable)
      expect(captured.lines).toHaveLength(2)
    })

    it('works again once it is fixed', async () => {
      await edit('users: [')
      await expect(store.findByEmail('bob@example.com')).rejects.toMatchObject(unreadable)
      await edit(handWritten)
      expect(await store.findByEmail('bob@example.com')).toBeDefined()
      await edit('users: [')
      await expect(put('carol@example.com')).rejects.toMatchObject(unreadable)
      await writeFile(path, handWritten)
      await put('carol@example.com')
      expect(await readText()).toContain('# the end')
    })

    it('is unavailable, and unchanged, when it cannot be opened', async () => {
      await mkdir(path)
      await expect(store.findByEmail('a@example.com')).rejects.toMatchObject({ kind: 'unavailable', slug: 'service-unavailable' })
      await expect(put('a@example.com')).rejects.toMatchObject({ kind: 'unavailable', slug: 'service-unavailable' })
    })
  })

  it('adds a thousand concurrent accounts in a few writes, each once', async () => {
    await edit(handWritten)
    let writes = 0
    onAppend = async () => {
      writes += 1
    }
    await Promise.all(Array.from({ length: 1000 }, (_, at) => put(`user${at % 500}@example.com`).catch(() => {})))
    expect(writes).toBeLessThan(10)
    expect((await readText()).match(/- email: user/g)).toHaveLength(500)
    await edit(await readText())
    expect(await store.findByEmail('user499@example.com')).toBeDefined()
  })

  it('keeps the mode that an operator set', async () => {
    await edit(handWritten)
    await chmod(path, 0o640)
    await put('carol@example.com')
    expect((await stat(path)).mode & 0o777).toBe(0o640)
  })
})
