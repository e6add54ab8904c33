import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { AccountStore } from '../../../../../../shared/domain/accounts/store/account-store.ts'
import { parseUsersDocument } from '../../../../../../shared/domain/accounts/store/users-file/users-file-document.ts'
import { createYamlAccountStore } from '../../../../../../shared/domain/accounts/store/users-file/yaml-account-store.ts'
import { systemClock } from '../../../../../../shared/kernel/clock.ts'
import { createSwitchedAuditLog, isInAdmin, makeAccount } from '../../../../../support/accounts/stored-accounts.ts'
import { type ChildScript, nextLine, startScript } from '../../../../../support/processes/child-process.ts'
import { createTempDir } from '../../../../../support/processes/temp-dir.ts'
import { silentLog } from '../../../../../support/time/silent-log.ts'

const script = join(import.meta.dirname, '../../../../../support/accounts/account-writer-script.ts')

describe('users.yaml under several processes', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  let path: string
  let store: AccountStore
  const children: ChildScript[] = []

  const openStore = (at = path) =>
    createYamlAccountStore({
      path: at,
      isAdministrator: isInAdmin,
      audit: createSwitchedAuditLog(),
      clock: systemClock,
      log: silentLog,
    })
  /** Starts a child that has opened the file and waits for `go`. */
  const startWriter = async (...args: string[]): Promise<ChildScript> => {
    const child = startScript(script, args)
    children.push(child)
    expect(await nextLine(child)).toBe('ready')
    return child
  }
  const go = (child: ChildScript) => child.process.stdin.write('go\n')
  const restOf = async ({ lines }: ChildScript): Promise<string[]> => {
    const rest: string[] = []
    for (let line = await lines.next(); !line.done; line = await lines.next()) rest.push(line.value)
    return rest
  }
  const readEmails = async () => parseUsersDocument(await readFile(path, 'utf8')).accounts.map(({ email }) => email)

  beforeEach(async () => {
    dir = await createTempDir()
    path = join(dir.path, 'users.yaml')
    store = openStore()
  })
  afterEach(async () => {
    for (const { process: child, ended } of children.splice(0)) {
      if (child.exitCode === null) child.kill('SIGKILL')
      await ended
    }
    await store.close()
    await dir.remove()
  })

  it('loses and duplicates no account when two processes add a hundred each at once', async () => {
    const writers = await Promise.all(['a', 'b'].map((name) => startWriter('add', path, name, '100', '5')))
    writers.forEach(go)
    const acknowledged = (await Promise.all(writers.map(restOf))).flat()
    expect(new Set(acknowledged).size).toBe(200)
    expect((await readEmails()).toSorted()).toEqual(acknowledged.toSorted())
    expect(await store.findByEmail('a99@example.com')).toBeDefined()
  })

  it('waits for the holder of the lock, without delaying other files', async () => {
    const holder = startScript(join(import.meta.dirname, '../../../../../support/storage/lock-holder-script.ts'), ['hold', path])
    children.push(holder)
    expect(await nextLine(holder)).toBe('held')
    const put = (to: AccountStore) =>
      to.change('a@example.com', (current) => ({ next: current ?? makeAccount('a@example.com'), result: 0 }))
    const waiting = put(store)
    const other = openStore(join(dir.path, 'other.yaml'))
    for (let change = 0; change < 5; change += 1) await put(other)
    await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' })
    go(holder)
    await waiting
    expect(await readEmails()).toEqual(['a@example.com'])
    await other.close()
  })

  it('sees within a moment an account that another process added', async () => {
    expect(await store.findByEmail('a0@example.com')).toBeUndefined()
    const version = await store.version()
    const writer = await startWriter('add', path, 'a', '1', '1')
    go(writer)
    await writer.ended
    await store.change('b@example.com', (_, { administrators }) => ({
      next: makeAccount('b@example.com'),
      result: administrators,
    }))
    expect(await store.findByEmail('a0@example.com')).toBeDefined()
    expect(await store.version()).not.toBe(version)
  })

  it('keeps exactly one administrator when two processes remove all twenty at once', async () => {
    const emails = Array.from({ length: 20 }, (_, at) => `admin${at}@example.com`)
    await Promise.all(emails.map((email) => store.change(email, () => ({ next: makeAccount(email, 'admin'), result: 0 }))))
    const takers = await Promise.all([1, 2].map(() => startWriter('demote', path, '20')))
    takers.forEach(go)
    const taken = (await Promise.all(takers.map(restOf))).flat().map(Number)
    expect(taken.reduce((sum, count) => sum + count)).toBe(19)
    expect(await readEmails()).toHaveLength(1)
  })

  it('has all acknowledged changes, and a complete file, whenever a process is killed', async () => {
    const acknowledged: string[] = []
    for (const [round, lines] of [1, 23, 80].entries()) {
      const writer = await startWriter('add', path, `round${round}-`, '100000', '4')
      go(writer)
      for (let line = 0; line < lines; line += 1) acknowledged.push(await nextLine(writer))
      writer.process.kill('SIGKILL')
      acknowledged.push(...(await restOf(writer)).filter((line) => line.endsWith('.com')))
      expect(await writer.ended).toBe('SIGKILL')
      const emails = await readEmails()
      expect(new Set(emails).size).toBe(emails.length)
      expect(emails).toEqual(expect.arrayContaining(acknowledged))
    }
    await store.change('last@example.com', () => ({ next: makeAccount('last@example.com'), result: 0 }))
    expect(await store.findByEmail(acknowledged[0] ?? '')).toBeDefined()
    expect((await readdir(dir.path)).toSorted()).toEqual(['users.yaml', 'users.yaml.lock'])
  })

  it('makes the file readable only by its owner', async () => {
    await store.change('a@example.com', () => ({ next: makeAccount('a@example.com'), result: 0 }))
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })
})
