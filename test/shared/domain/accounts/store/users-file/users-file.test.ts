import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Account } from '../../../../../../shared/domain/accounts/account.ts'
import { type AccountChanges, createAccountIndex } from '../../../../../../shared/domain/accounts/store/account-index.ts'
import {
  editUsersFile as editText,
  readUsersFile,
  type UsersFile,
} from '../../../../../../shared/domain/accounts/store/users-file/users-file.ts'
import { parseUsersDocument } from '../../../../../../shared/domain/accounts/store/users-file/users-file-document.ts'
import {
  accountLists,
  blockFiles,
  changeLists,
  otherFiles,
  type WrittenFile,
} from '../../../../../support/accounts/users-text-arbitraries.ts'

/** The file after the changes are stored. */
const editUsersFile = async (file: UsersFile, changes: AccountChanges): Promise<UsersFile> => {
  const edited = await editText(file, changes)
  edited.index.apply(changes)
  return edited
}

const byEmail = (accounts: readonly Account[]) => new Map(accounts.map((account) => [account.email, account]))
const textOf = ({ bytes }: UsersFile): string => bytes.toString()
const knownByEmail = ({ index }: UsersFile) => byEmail([...index.byEmail.values()])
const orderOf = (file: UsersFile): string[] => parseUsersDocument(textOf(file)).accounts.map(({ email }) => email)

/** The file equals its state for a YAML parser without slices, and reading it again gives the same accounts. */
const expectTrue = async (file: UsersFile): Promise<void> => {
  expect(byEmail(parseUsersDocument(textOf(file)).accounts)).toEqual(knownByEmail(file))
  const again = await readUsersFile(textOf(file))
  expect(knownByEmail(again)).toEqual(knownByEmail(file))
  // Blank lines between two accounts may move to the other account.
  const accountsOf = ({ layout }: UsersFile) => layout?.entries.map(({ account }) => account)
  expect(accountsOf(again)).toEqual(accountsOf(file))
}

const isFree = (file: UsersFile, email: string, to: Account | undefined): boolean => {
  const owner = to && file.index.byPlayerId.get(to.playerId)
  return owner === undefined || owner.email === email
}

const applyAll = async (written: WrittenFile, changes: readonly (readonly [string, Account | undefined])[]) => {
  let file = await readUsersFile(written.text)
  expect(knownByEmail(file)).toEqual(byEmail(written.accounts))
  for (const [email, to] of changes) {
    if (!isFree(file, email, to) || (to === undefined && !file.index.byEmail.has(email))) continue
    const remaining = orderOf(file).filter((other) => other !== email || to !== undefined)
    file = await editUsersFile(file, new Map([[email, to]]))
    await expectTrue(file)
    expect(orderOf(file).slice(0, remaining.length)).toEqual(remaining)
  }
  return file
}

describe('a users file', () => {
  it('reads every block style as a YAML parser does, also after any change', async () => {
    await fc.assert(
      fc.asyncProperty(blockFiles, changeLists, async (written, changes) => {
        await applyAll(written, changes)
      }),
      { numRuns: 30 },
    )
  })

  it('does the same with JSON, flow style and anchors across accounts', async () => {
    await fc.assert(
      fc.asyncProperty(otherFiles, changeLists, async (written, changes) => {
        await applyAll(written, changes)
      }),
      { numRuns: 20 },
    )
  })

  it('makes several changes at once as it makes them one by one', async () => {
    await fc.assert(
      fc.asyncProperty(blockFiles, accountLists, async ({ text }, others) => {
        const file = await readUsersFile(text)
        const changes = new Map([...others].filter((to) => isFree(file, to.email, to)).map((to) => [to.email, to]))
        const edited = await editUsersFile(file, changes)
        await expectTrue(edited)
      }),
      { numRuns: 20 },
    )
  })

  it('reads an edited text with a previous state as it reads it alone', async () => {
    await fc.assert(
      fc.asyncProperty(blockFiles, changeLists, async (written, changes) => {
        const previous = await readUsersFile(written.text)
        const edited = await applyAll(written, changes)
        const again = await readUsersFile(textOf(edited), { previous })
        expect(knownByEmail(again)).toEqual(knownByEmail(edited))
        expect(again.index.byName).toEqual(createAccountIndex(again.index.byEmail.values()).byName)
      }),
      { numRuns: 20 },
    )
  })

  it('keeps the comments of a flow style that it rewrites in block style', async () => {
    const user = (email: string, id: number) =>
      `{ email: ${email}, playerId: fffffff${id}-38ed-42cc-bddc-5bb4eda16973, displayName: A, groups: [x], createdAt: 2026-01-01T00:00:00Z }`
    const text = `# head\nusers: [\n  # of a\n  ${user('a@b.c', 1)}, # owner\n  # of both\n  ${user('b@b.c', 2)}, # gone\n]\n`
    const file = await editUsersFile(await readUsersFile(text), new Map([['b@b.c', undefined]]))
    expect(textOf(file)).toBe(
      '# head\nusers:\n  # of a\n  - email: a@b.c\n    playerId: fffffff1-38ed-42cc-bddc-5bb4eda16973\n    displayName: A\n    groups: [x]\n    createdAt: 2026-01-01T00:00:00Z\n    # owner\n  # of both\n  # gone\n',
    )
  })

  it('keeps every comment of remaining accounts, and the comments above removed ones', async () => {
    await fc.assert(
      fc.asyncProperty(blockFiles, changeLists, async (written, changes) => {
        const file = await applyAll(written, changes)
        for (const lead of written.text.match(/# lead-\d\./g) ?? []) expect(textOf(file)).toContain(lead)
        const gone = new Set(changes.flatMap(([email, to]) => (to ? [] : email)))
        for (const [at, { email }] of written.accounts.entries())
          for (const comment of gone.has(email) ? [] : (written.text.match(new RegExp(`# comment-${at}-\\d`, 'g')) ?? []))
            expect(textOf(file)).toContain(comment)
      }),
      { numRuns: 20 },
    )
  })

  it.each(['\u2028', '\ufeff', '\u0085', '?', '     x'])(
    'keeps the comments of an account that is renamed to %j',
    async (displayName) => {
      const at = (name: string) => ({
        email: 'a@b.c',
        playerId: 'fffffff1-38ed-42cc-bddc-5bb4eda16973',
        displayName: name,
        groups: [],
      })
      const account: Account = { ...at('A'), createdAt: '2026-01-01T00:00:00.000Z' }
      const text = `users:\n  - email: a@b.c\n# why\n    playerId: ${account.playerId}\n    displayName: "A" # who\n    groups: []\n    # when\n    createdAt: ${account.createdAt}\n`
      const file = await editUsersFile(await readUsersFile(text), new Map([['a@b.c', { ...account, displayName }]]))
      await expectTrue(file)
      for (const comment of ['# why', '# who', '# when']) expect(textOf(file)).toContain(comment)
    },
  )

  it('keeps the text of unchanged accounts byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(blockFiles, accountLists, async ({ text }, others) => {
        const file = await readUsersFile(text)
        const [to] = others
        if (!file.layout || !to || !isFree(file, to.email, to)) return
        const edited = await editUsersFile(file, new Map([[to.email, to]]))
        const rest = ({ layout }: UsersFile) =>
          layout?.entries.filter(({ account }) => account.email !== to.email).map((slice) => slice.text)
        expect(rest(edited)).toEqual(rest(file))
        expect(textOf(edited)).toContain(file.layout.head)
      }),
      { numRuns: 20 },
    )
  })

  it('reads or refuses any text exactly as the YAML parser does', async () => {
    const line = fc.constantFrom(
      'users:',
      'users: []',
      '- email: a@b',
      '  - email: a@b',
      '    playerId: 00000000-0000-4000-8000-000000000001',
      '    displayName: A',
      '    groups: []',
      '    createdAt: 2026-01-01T00:00:00Z',
      '# c',
      '  # c',
      '      # c',
      '',
      '   ',
      '\t',
      '---',
      '...',
      '    displayName: "A',
      '      B"',
      '    displayName: |',
      '      text',
      '    groups: [a,',
      '      b]',
      '  ]',
      '  - &x {}',
      '  - *x',
      '- {}',
      '    groups: &g [a]',
      '    groups: *g',
      '- email: c@d',
      '  playerId: 00000000-0000-4000-8000-000000000002',
      '  displayName: B',
      '  groups:',
      '  - x',
      '  createdAt: 2026-01-01T00:00:00Z',
      'other: 1',
      '? users',
      ': []',
    )
    const parse = (text: string): readonly Account[] | string => {
      try {
        return parseUsersDocument(text).accounts
      } catch (fault) {
        return String(fault)
      }
    }
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 14 }), fc.constantFrom('\n', '\r\n'), async (lines, eol) => {
        const text = `users:${eol}${lines.join(eol)}`
        const read = await readUsersFile(text).then(({ index }) => [...index.byEmail.values()], String)
        expect(read).toEqual(parse(text))
      }),
      { numRuns: 300 },
    )
  })
})
