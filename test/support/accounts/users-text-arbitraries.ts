import fc from 'fast-check'
import { Document, isMap, isSeq } from 'yaml'
import type { Account } from '../../../shared/domain/accounts/account.ts'
import { parseUsersDocument } from '../../../shared/domain/accounts/store/users-file/users-file-document.ts'

const awkwardNames = [
  'yes',
  'null',
  '~',
  '007',
  '1e3',
  '- dash',
  '# hash',
  'a: b',
  'a #b',
  "it's",
  '"quoted"',
  ' led by',
  'followed by ',
]
const foreignNames = [
  'Zoë 😀',
  '日本語',
  '\u2028',
  '\ufeff',
  '\u0085',
  '\u007f',
  'tab\there',
  'two\nlines',
  'ends with a break\n',
  'back\\slash',
]
const syntaxNames = [
  '[x]',
  '{x}',
  '&a',
  '*a',
  '!tag',
  '|',
  '>',
  '%',
  '@',
  '`',
  '---',
  '...',
  'x,y',
  '?',
  ': ',
  'a:',
  'Alice Smith the Second of York',
]
const emails = [
  'a@example.com',
  'b+tag@example.com',
  '1@example.com',
  'zoë@example.com',
  'e-f@x.y',
  'null@x',
  "o'hara@example.com",
  'h@h.h',
]
const hash = '$2b$12$712f7vAUDjCwiWJrhqn8bOVTB6smz1EoFCktnt1SD7PiSpu5XSIIC'

const displayName = fc.oneof(
  fc.constantFrom('Alice', ...awkwardNames, ...foreignNames, ...syntaxNames),
  // The library loses characters when it folds a name of only spaces.
  fc.string({ minLength: 1, maxLength: 32, unit: 'grapheme-ascii' }).filter((name) => name.trim() !== ''),
)

const groupNames = fc.uniqueArray(
  fc.constantFrom('player', 'admin', 'no', 'my group', '1', 'a,b', 'x]', '/it\'s "q"', '\u2028'),
  {
    maxLength: 3,
  },
)

const accountOf = (email: string): fc.Arbitrary<Account> =>
  fc.record(
    {
      email: fc.constant(email),
      playerId: fc.uuid({ version: 4 }),
      displayName,
      passwordHash: fc.constant(hash),
      groups: groupNames,
      subject: fc.constantFrom(`https://issuer.example/ 1234 ${email}`, `x${email}`),
      mappedGroups: groupNames,
      claimedGroups: groupNames,
      createdAt: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00+01:00'),
    },
    { requiredKeys: ['email', 'playerId', 'displayName', 'groups', 'createdAt'], noNullPrototype: true },
  )

const differ = (accounts: readonly Account[]): boolean =>
  new Set(accounts.map(({ playerId }) => playerId)).size === accounts.length

/** Up to eight accounts with distinct emails and playerIds, in any order. */
export const accountLists: fc.Arbitrary<Account[]> = fc
  .shuffledSubarray(emails)
  .chain((chosen) => fc.tuple(...chosen.map(accountOf)))
  .filter(differ)

/** A sequence of changes: each is an email with the new account, or with undefined to remove the account. */
export const changeLists: fc.Arbitrary<(readonly [string, Account | undefined])[]> = fc.array(
  fc
    .constantFrom(...emails, 'new@example.com')
    .chain((email) => fc.tuple(fc.constant(email), fc.option(accountOf(email), { nil: undefined }))),
  { minLength: 1, maxLength: 6 },
)

const entryStyle = fc.record({
  scalars: fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'),
  lineWidth: fc.constantFrom(0, 20),
  isJson: fc.boolean(),
  isFlowGroups: fc.boolean(),
  isReversed: fc.boolean(),
  dash: fc.constantFrom('- ', '- ', '-   ', '-\n', '- # on the dash\n'),
  leadDepth: fc.option(fc.nat({ max: 4 }), { nil: undefined }),
  commentDepths: fc.array(fc.constantFrom(0, 1, 2, 4, 8), { maxLength: 3 }),
  blankLines: fc.nat({ max: 2 }),
})
type EntryStyle = typeof entryStyle extends fc.Arbitrary<infer T> ? T : never

const writeMap = (account: Account, { scalars, lineWidth, isFlowGroups, isReversed }: EntryStyle): string => {
  const keys = Object.entries(account)
  const document = new Document(Object.fromEntries(isReversed ? keys.reverse() : keys))
  const pairs = isMap(document.contents) ? document.contents.items : []
  for (const { value } of pairs) if (isSeq(value)) value.flow = isFlowGroups || value.items.length === 0
  return document.toString({ defaultStringType: scalars, defaultKeyType: 'PLAIN', lineWidth, minContentWidth: 0 })
}

const shift = (text: string, depth: number): string => text.replaceAll(/^(?=[^\n])/gm, ' '.repeat(depth))

/** One account as a person may write it; every comment in it has a unique name. */
const writeEntry = (
  account: Account,
  style: EntryStyle,
  { indent, at }: { readonly indent: number; readonly at: number },
): string => {
  const body = style.isJson ? `${JSON.stringify(account)}\n` : writeMap(account, style)
  const inner = indent + (style.dash === '-   ' ? 4 : 2)
  const lines = shift(body, inner)
  const opened = style.dash.endsWith('\n')
    ? `${' '.repeat(indent)}${style.dash}${lines}`
    : `${' '.repeat(indent)}${style.dash}${lines.slice(inner)}`
  const keyLine = new RegExp(`^ {${inner}}(?=[a-zA-Z]+:)`, 'gm')
  // A name of two lines becomes a block scalar in every style.
  const hasBlock = style.scalars.startsWith('BLOCK') || account.displayName.includes('\n')
  let comments = 0
  const commented = opened.replaceAll(keyLine, (found) => {
    const depth = style.commentDepths[comments]
    if (depth === undefined) return found
    comments += 1
    // Any deeper, it would be part of a block scalar above it.
    return `${' '.repeat(Math.min(depth, hasBlock ? inner : depth))}# comment-${at}-${comments}\n${found}`
  })
  // Any deeper, it would be part of the account above.
  const lead = style.leadDepth === undefined ? '' : `${' '.repeat(Math.min(indent, style.leadDepth))}# lead-${at}.\n`
  return lead + commented + '\n'.repeat(style.blankLines)
}

export type WrittenFile = { readonly text: string; readonly accounts: readonly Account[] }

const fileStyle = fc.record({
  prefix: fc.constantFrom('', '# head\n', '---\n', '# head\n\n--- # start\n# below\n', '\ufeff', '%YAML 1.2\n---\n'),
  key: fc.constantFrom('users:', '"users":', 'users: # all of them'),
  indent: fc.constantFrom(0, 2, 4),
  suffix: fc.constantFrom('', '# tail\n', '\n  # indented tail\n', '...\n'),
  isCrlf: fc.boolean(),
  isCut: fc.boolean(),
})

/** A users file in block style in different layouts, and its accounts. */
export const blockFiles: fc.Arbitrary<WrittenFile> = fc
  .tuple(accountLists, fileStyle)
  .chain(([accounts, style]) => fc.tuple(fc.constant(accounts), fc.constant(style), fc.tuple(...accounts.map(() => entryStyle))))
  .map(([accounts, { prefix, key, indent, suffix, isCrlf, isCut }, styles]) => {
    const entries = accounts.map((account, at) => {
      const style = styles[at]
      return style ? writeEntry(account, style, { indent, at }) : ''
    })
    const list =
      entries.length > 0
        ? `${key}\n${entries.join('')}`
        : `${key.replace('users:', 'users: []').replace('"users: []"', '"users"')}\n`
    const text = `${prefix}${list}${suffix}`
    const cut = isCut && suffix === '' ? text.replace(/\n$/, '') : text
    return isCrlf ? cut.replaceAll('\n', '\r\n') : cut
  })
  .map((text) => ({ text, accounts: parseUsersDocument(text).accounts }))

/** The same as JSON, as flow style, and with groups shared through an anchor. */
export const otherFiles: fc.Arbitrary<WrittenFile> = fc
  .tuple(accountLists, fc.constantFrom('json', 'pretty', 'flow', 'anchors'))
  .map(([accounts, kind]) => {
    if (kind === 'json') return { text: JSON.stringify({ users: accounts }), accounts }
    if (kind === 'pretty') return { text: `${JSON.stringify({ users: accounts }, undefined, 2)}\n`, accounts }
    if (kind === 'flow')
      return {
        text: `# head\nusers: [\n${accounts.map((account) => `  ${JSON.stringify(account)}, # of flow\n`).join('')}]\n`,
        accounts,
      }
    const [first] = accounts
    const shared = accounts.map((account) => ({ ...account, groups: first?.groups ?? [] }))
    const document = new Document({ users: shared }, { aliasDuplicateObjects: true })
    return { text: `# head\n${document.toString()}`, accounts: shared }
  })
