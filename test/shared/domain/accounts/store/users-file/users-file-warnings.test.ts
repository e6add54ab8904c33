import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { AccountStore } from '../../../../../../shared/domain/accounts/store/account-store.ts'
import { createYamlAccountStore } from '../../../../../../shared/domain/accounts/store/users-file/yaml-account-store.ts'
import { createSwitchedAuditLog, isInAdmin, makeAccount } from '../../../../../support/accounts/stored-accounts.ts'
import { createTempDir } from '../../../../../support/processes/temp-dir.ts'
import { createFixedClock } from '../../../../../support/time/fixed-clock.ts'
import { createCapturedLog } from '../../../../../support/time/silent-log.ts'

const salted = `$2b$12$${'a'.repeat(53)}`

/** An account of six lines, with its first key at the dash. */
const user = (at: number, email: string, displayName: string, passwordHash = salted) => `  - email: ${email}
    playerId: ${String(at).padStart(8, '0')}-5b6d-4c7e-8f90-a1b2c3d4e5f6
    displayName: ${displayName}
    passwordHash: ${passwordHash}
    groups: [player]
    createdAt: 2026-01-01T00:00:00Z
`

const hashWarning = (line: number, reason: string) =>
  `users.yaml line ${line}: this passwordHash can never match: ${reason}. Set a new password for the account.`
const nameWarning = (lines: string) =>
  `users.yaml lines ${lines}: these accounts have the same display name, or names that look alike. Rename all but one.`

describe('warnings about accounts in users.yaml', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  let path: string
  let store: AccountStore
  let clock: ReturnType<typeof createFixedClock>
  let captured: ReturnType<typeof createCapturedLog>

  /** Returns the warnings for a file with this text. */
  const warningsOf = async (text: string) => {
    await writeFile(path, text)
    clock.advance(50)
    await store.version()
    return store.warnings()
  }
  const logged = () => captured.lines.flatMap(({ warning }) => (warning === undefined ? [] : [warning]))

  beforeEach(async () => {
    dir = await createTempDir()
    path = join(dir.path, 'config', 'users.yaml')
    await mkdir(dirname(path))
    clock = createFixedClock()
    captured = createCapturedLog()
    store = createYamlAccountStore({
      path,
      isAdministrator: isInAdmin,
      audit: createSwitchedAuditLog(),
      clock,
      log: captured.log,
    })
  })
  afterEach(async () => {
    await store.close()
    await dir.remove()
  })

  it('are absent for accounts that work as written', async () => {
    const text = `# people\nusers:\n${user(1, 'a@example.com', 'Ann')}${user(2, 'b@münchen.de', 'Bob', salted.replace('2b', '2y'))}`
    expect(await warningsOf(text)).toEqual([])
    await store.close()
    expect(logged()).toEqual([])
  })

  it.each([
    ['plaintext', 'it is not a bcrypt hash'],
    ['""', 'it is not a bcrypt hash'],
    [salted.slice(0, -1), 'it has 59 characters, and a bcrypt hash has 60'],
    [`${salted}a`, 'it has 61 characters, and a bcrypt hash has 60'],
    [salted.replace('$12$', '$17$'), 'its cost is 17, not 4 to 16'],
    [salted.replace('$12$', '$03$'), 'its cost is 3, not 4 to 16'],
    [`"${salted.slice(0, -1)}!"`, 'it has a character that is not valid in a bcrypt hash'],
  ])('name the line of the passwordHash %s, which can never match', async (hash, reason) => {
    const text = `# people\nusers:\n${user(1, 'a@example.com', 'Ann')}  # Bob\n${user(2, 'b@example.com', 'Bob', hash)}`
    expect(await warningsOf(text)).toEqual([hashWarning(13, reason)])
    await store.close()
    expect(logged()).toEqual([hashWarning(13, reason)])
    expect(await store.findByEmail('b@example.com')).toBeDefined()
  })

  it('name the lines of display names that are equal or look alike', async () => {
    const names = ['Ann', 'Bob', 'ANN', 'Вob', 'Ànn']
    const text = `users:\n${names.map((name, at) => user(at, `${at}@example.com`, name)).join('')}`
    expect(await warningsOf(text)).toEqual([nameWarning('4, 16 and 28'), nameWarning('10 and 22')])
  })

  it('name the lines of two spellings of one email, and the account that sign-in finds', async () => {
    const text = `users:\n${user(1, 'ann@münchen.de', 'Ann')}${user(2, 'ann@xn--mnchen-3ya.de', 'Anna', 'x')}`
    expect(await warningsOf(text)).toEqual([
      'users.yaml lines 2 and 8: these emails are the same address, and sign-in finds only the account at line 8. Delete one of the accounts, or change its email.',
      hashWarning(11, 'it is not a bcrypt hash'),
    ])
  })

  it('count the lines of files in any style, with CRLF and of any length', async () => {
    const flow = (at: number) =>
      JSON.stringify({ ...makeAccount(`${at}@example.com`), displayName: `Name ${at}`, passwordHash: 'x' })
    expect(await warningsOf(`{"users": [\n${flow(1)},\n${flow(2)}]}\n`)).toEqual(
      [2, 3].map((line) => hashWarning(line, 'it is not a bcrypt hash')),
    )
    expect(await warningsOf(`users:\n${user(1, 'a@example.com', 'Ann', 'x')}`.replaceAll('\n', '\r\n'))).toEqual([
      hashWarning(5, 'it is not a bcrypt hash'),
    ])
    const many = Array.from({ length: 300 }, (_, at) => user(at, `${at}@example.com`, `Name ${at}`, at === 299 ? 'x' : salted))
    expect(await warningsOf(`users:\n${many.join('')}`)).toEqual([hashWarning(1 + 299 * 6 + 4, 'it is not a bcrypt hash')])
    // A file with an anchor at the start is parsed by the YAML parser in a thread.
    expect(await warningsOf(`&all\nusers:\n${many.join('')}`)).toEqual([hashWarning(2 + 299 * 6 + 4, 'it is not a bcrypt hash')])
  })

  it('list 20 of many and count the others', async () => {
    const many = Array.from({ length: 25 }, (_, at) => user(at, `${at}@example.com`, `Name ${at}`, 'x'))
    const warnings = await warningsOf(`users:\n${many.join('')}`)
    expect([warnings.length, warnings.at(-1)]).toEqual([21, 'users.yaml has 5 more accounts or names like these'])
    const same = Array.from({ length: 9 }, (_, at) => user(at, `${at}@example.com`, 'Ann'))
    expect(await warningsOf(`users:\n${same.join('')}`)).toEqual([nameWarning('4, 10, 16, 22, 28 and 4 more')])
  })

  it('are dropped after a fix, by hand or through the server, and logged once each', async () => {
    const ann = user(1, 'a@example.com', 'Ann', 'x')
    const bob = user(2, 'b@example.com', 'Bob', 'x')
    const [first, second] = [5, 11].map((line) => hashWarning(line, 'it is not a bcrypt hash'))
    expect(await warningsOf(`users:\n${ann}`)).toEqual([first])
    expect(await warningsOf(`users:\n${ann}${bob}`)).toEqual([first, second])
    await store.change('a@example.com', (current) => ({ next: current && { ...current, passwordHash: salted }, result: 0 }))
    expect(await store.warnings()).toEqual([second])
    expect(await warningsOf(`users:\n${ann.replace(': x', `: ${salted}`)}`)).toEqual([])
    await store.close()
    expect(logged()).toEqual([first, second])
  })
})
