import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  editUsersFile,
  readUsersFile,
  rereadUsersFile,
  type UsersFile,
} from '../../../../../../shared/domain/accounts/store/users-file/users-file.ts'
import { parseUsersDocument } from '../../../../../../shared/domain/accounts/store/users-file/users-file-document.ts'
import { listEntries, partsOf } from '../../../../../../shared/domain/accounts/store/users-file/users-file-pages.ts'
import { findDifference } from '../../../../../../shared/domain/accounts/store/users-file/users-file-splice.ts'
import { blockFiles, changeLists } from '../../../../../support/accounts/users-text-arbitraries.ts'

const entry = (name: string, id: number, extra = '') =>
  `  - email: ${name}@example.com\n    playerId: 00000000-0000-4000-8000-00000000000${id}\n    displayName: ${name}\n    groups: []\n${extra}    createdAt: 2026-01-01T00:00:00Z\n`
const three = `# ours\nusers:\n${entry('ann', 1)}\n  # Bob pays\n${entry('bob', 2)}${entry('cy', 3)}# the end\n`

const accountsOf = ({ index }: UsersFile) => new Map([...index.byEmail.values()].map((account) => [account.email, account]))
const rereadBytes = (file: UsersFile, bytes: Buffer) => {
  const difference = findDifference(file.parts, bytes)
  return difference ? rereadUsersFile(file, difference) : file
}
const reread = (file: UsersFile, text: string) => rereadBytes(file, Buffer.from(text))

/** The fast path, if it applies, returns the same as a full read. */
const expectSame = async (fast: UsersFile, text: string): Promise<void> => {
  const slow = await readUsersFile(text)
  expect(fast.text).toBe(text)
  expect(accountsOf(fast)).toEqual(accountsOf(slow))
  expect(new Set(fast.index.byPlayerId.keys())).toEqual(new Set(slow.index.byPlayerId.keys()))
  expect(new Set(fast.index.bySubject.keys())).toEqual(new Set(slow.index.bySubject.keys()))
  expect(fast.index.made()).toEqual(slow.index.made())
  expect(fast.layout && Buffer.concat(partsOf(fast.layout)).toString()).toBe(text)
  expect(fast.layout && listEntries(fast.layout).map(({ account }) => account)).toEqual(parseUsersDocument(text).accounts)
}

const lines = fc.constantFrom(
  ...['# c', '      # c', '', '  ', '\t', '---', '...', '  - {}', '  - &x {}', '  - *x', 'other: 1', '    groups: &g [a]'],
  ...['    groups: *g', '    "displayName": "A"', "    displayName: 'B", '    displayName: |', '      text', '\r', '\ufeff# c'],
  ...[
    '  - {email: q@b.c, playerId: 00000000-0000-4000-8000-000000000009, displayName: Q, groups: [], createdAt: 2026-01-01T00:00:00Z}',
  ],
  ...['    displayName: Twin', '    groups: [builder]', '    subject: x'],
)
const pageLengths = fc.constantFrom(1, 2, 3, 128)
const places = fc.nat({ max: 60 })

/** Line edits as made by hand: insert, remove, replace, move or repeat lines, change every line break, add a byte order mark. */
const handEdits: fc.Arbitrary<(text: string) => string> = fc.oneof(
  fc.tuple(places, fc.nat({ max: 2 }), lines).map(([at, count, line]) => (text: string) => {
    const all = text.split('\n')
    all.splice(at % all.length, count, line)
    return all.join('\n')
  }),
  fc.tuple(places, fc.nat({ max: 12 }), places, fc.boolean()).map(([at, count, to, isCopy]) => (text: string) => {
    const all = text.split('\n')
    const from = at % all.length
    const moved = isCopy ? all.slice(from, from + count) : all.splice(from, count)
    all.splice(to % (all.length + 1), 0, ...moved)
    return all.join('\n')
  }),
  fc.constant((text: string) => text.replaceAll(/\r?\n/g, '\r\n')),
  fc.constant((text: string) => text.replaceAll('\r\n', '\n')),
  fc.constant((text: string) => `\ufeff${text}`),
  fc.constant((text: string) => `${text}${entry('zed', 8)}`),
  fc.constant((text: string) => text.replace('displayName: ', 'displayName: New ')),
  fc.constant((text: string) => text.replace(/groups: .*/, 'groups: ["a", \'b\'] # by hand')),
)

const isFault = (text: string): boolean => {
  try {
    parseUsersDocument(text)
    return false
  } catch {
    return true
  }
}

describe('the difference of a file', () => {
  it('combined with the unchanged parts gives the file, and is empty only for an equal file', () => {
    const parts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 3 }), { maxLength: 8 })
    fc.assert(
      fc.property(parts, parts, (known, other) => {
        const current = other.join('')
        const difference = findDifference(
          known.map((part) => Buffer.from(part)),
          Buffer.from(current),
        )
        if (difference === undefined) return expect(known.join('')).toBe(current)
        const { sameStart, sameEnd, bytes } = difference
        expect(sameStart + sameEnd).toBeLessThanOrEqual(known.length)
        const [start, end] = [known.slice(0, sameStart), known.slice(known.length - sameEnd)]
        expect([...start, bytes.toString(), ...end].join('')).toBe(current)
        expect(known.join('')).not.toBe(current)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a users file that was edited elsewhere', () => {
  it('equals a full read after any hand edits and changes of our own', async () => {
    const steps = fc.array(fc.oneof(handEdits, changeLists), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(blockFiles, steps, pageLengths, async (written, steps, perPage) => {
        let file = await readUsersFile(written.text, { perPage })
        for (const step of steps) {
          if (typeof step === 'function') {
            const text = step(file.text)
            const fast = reread(file, text)
            if (isFault(text)) {
              expect(fast).toBeUndefined()
              continue
            }
            if (fast === file) expect(text).toBe(file.text)
            else if (fast) await expectSame(fast, text)
            file = fast === undefined || fast === file ? await readUsersFile(text, { perPage }) : fast
            continue
          }
          for (const [email, to] of step) {
            const owner = to && file.index.byPlayerId.get(to.playerId)
            const bearer = to?.subject === undefined ? undefined : file.index.bySubject.get(to.subject)
            if ([owner, bearer].some((other) => other !== undefined && other.email !== email)) continue
            if (to || file.index.byEmail.has(email)) file = await editUsersFile(file, new Map([[email, to]]))
          }
        }
      }),
      { numRuns: 75 },
    )
  })

  it.each([
    ['an account at the end', three.replace('# the end\n', `${entry('dan', 4)}# the end\n`)],
    ['an account in between', three.replace('  # Bob', `${entry('dan', 4)}  # Bob`)],
    ['one account gone', three.replace(entry('cy', 3), '')],
    ['the first account changed', three.replace('ann@', 'eve@')],
    ['one renamed', three.replace('displayName: bob', 'displayName: Robert')],
    ['only another comment', three.replace('# Bob pays', '# Bob paid')],
    ['two that changed places', three.replace(entry('bob', 2) + entry('cy', 3), entry('cy', 3) + entry('bob', 2))],
    [
      'quoted keys in flow style',
      three
        .replace(entry('cy', 3), '')
        .replace(
          '# the end',
          '  - {"email": "c@d.e", "playerId": 00000000-0000-4000-8000-000000000005, displayName: C, groups: [], createdAt: 2026-01-01T00:00:00Z}',
        ),
    ],
    [
      'an anchor within one account',
      three.replace(entry('cy', 3), entry('cy', 3, '    mappedGroups: &g [a]\n    claimedGroups: *g\n')),
    ],
  ])('is read incrementally: %s', async (_, text) => {
    const file = await readUsersFile(three)
    const fast = reread(file, text)
    expect(fast).toBeDefined()
    if (fast) await expectSame(fast, text)
  })

  it.each([
    ['a duplicate email', three.replace('cy@', 'ann@')],
    ['a duplicate playerId', three.replace('000000000003', '000000000001')],
    ['an alias across accounts', three.replace('groups: []', 'groups: &g []').replace(/groups: \[\]\n/, 'groups: *g\n')],
    ['another key below', `${three}other: 1\n`],
    ['no line break at the end', three.trimEnd()],
    ['a byte order mark amid it', three.replace('# the end', '\ufeff# the end')],
    ['a deeper first account', three.replace(entry('ann', 1), entry('ann', 1).replaceAll(/^/gm, '  ').trimEnd().concat('\n'))],
    ['no account left', '# ours\nusers:\n# the end\n'],
    ['other line breaks in one place', three.replace('displayName: bob\n', 'displayName: bob\r\n')],
  ])('falls back to the parser: %s', async (_, text) => {
    expect(reread(await readUsersFile(three), text)).toBeUndefined()
  })

  it('falls back to the parser when it is not UTF-8', async () => {
    const bytes = Buffer.from(three)
    bytes[bytes.lastIndexOf('bob\n')] = 0xff
    expect(rereadBytes(await readUsersFile(three), bytes)).toBeUndefined()
  })
})
