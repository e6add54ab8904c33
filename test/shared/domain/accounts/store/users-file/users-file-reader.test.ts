import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { parseUsersDocument } from '../../../../../../shared/domain/accounts/store/users-file/users-file-document.ts'
import { UsersFileFault } from '../../../../../../shared/domain/accounts/store/users-file/users-file-fault.ts'
import {
  createUsersFileReader,
  type UsersFileReader,
} from '../../../../../../shared/domain/accounts/store/users-file/users-file-reader.ts'
import { createTempDir } from '../../../../../support/processes/temp-dir.ts'
import { createFixedClock } from '../../../../../support/time/fixed-clock.ts'
import { silentLog } from '../../../../../support/time/silent-log.ts'

const faultOf = (text: string): UsersFileFault | undefined => {
  try {
    parseUsersDocument(text)
    return undefined
  } catch (fault) {
    return fault instanceof UsersFileFault ? fault : undefined
  }
}

describe('a version of users.yaml read a moment ago', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  let path: string
  let clock: ReturnType<typeof createFixedClock>
  let reader: UsersFileReader

  beforeEach(async () => {
    dir = await createTempDir()
    path = join(dir.path, 'users.yaml')
    clock = createFixedClock()
    reader = createUsersFileReader({ path, clock, log: silentLog })
  })
  afterEach(async () => {
    await reader.documents.close()
    await dir.remove()
  })

  const readAfter = async (ms: number, last?: Awaited<ReturnType<UsersFileReader['read']>>) => {
    clock.advance(ms)
    return reader.read(last)
  }

  it.each([
    ['a valid file', 'users: []\n'],
    ['a fault', 'users: 1\n'],
    ['not UTF-8', Buffer.from([0xff])],
    ['no account', ''],
  ])('is not final yet: %s', async (_, text) => {
    await writeFile(path, text)
    const first = await readAfter(0)
    const doubtfulFrom = clock.monotonic() + 50
    expect(first).toMatchObject({ doubtfulFrom })
    const early = await readAfter(49, first)
    expect(early).toMatchObject({ version: first.version, doubtfulFrom })
    const later = await readAfter(1, early)
    expect(later).toEqual({ version: first.version, file: first.file, fault: first.fault })
    expect(later.fault).toBe(first.fault)
  })

  it('has the same fault with line and column when it is long and parsed in a thread', async () => {
    const lines = Array.from({ length: 1200 }, (_, at) => `  # comment ${at}`)
    const text = `users:\n${lines.join('\n')}\n  - email: [\n`
    await writeFile(path, text)
    const { fault } = await readAfter(0)
    expect(fault).toBeInstanceOf(UsersFileFault)
    expect({ ...fault, message: fault?.message }).toEqual({ ...faultOf(text), message: faultOf(text)?.message })
    expect(fault?.line).toBeGreaterThan(1200)
  })

  it('has the same accounts when it is long, in an unsliced style, and parsed in a thread', async () => {
    const accounts = Array.from({ length: 300 }, (_, at) => ({
      email: `user${at}@example.com`,
      playerId: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
      displayName: `User "${at}" \u2028`,
      groups: ['a'],
      createdAt: '2026-01-01T00:00:00Z',
    }))
    await writeFile(path, JSON.stringify({ users: accounts }))
    const { file } = await readAfter(0)
    expect(file?.index.sorted()).toEqual([...accounts].sort((a, b) => (a.email < b.email ? -1 : 1)))
  })

  it('is not final yet when only the date differs', async () => {
    await writeFile(path, 'users: []\n')
    const accounts = await readAfter(50, await readAfter(0))
    await writeFile(path, 'users: []\n')
    const touched = await readAfter(0, accounts)
    expect(touched).toMatchObject({ doubtfulFrom: clock.monotonic() + 50 })
    expect(touched.version).not.toBe(accounts.version)
    expect(touched.file).toBe(accounts.file)
  })
})
