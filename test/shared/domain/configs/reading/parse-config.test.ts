import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { catalogue } from '../../../../../shared/domain/configs/catalogue.ts'
import { locatePointers, parseConfig } from '../../../../../shared/domain/configs/reading/parse-config.ts'
import { anyCharacter } from '../../../../support/any-character.ts'

const parseServer = (text: string) => parseConfig(catalogue['server.yaml'], text)
const parseGroups = (text: string) => parseConfig(catalogue['groups.yaml'], text)
const faultsOf = (result: ReturnType<typeof parseGroups> | ReturnType<typeof parseServer>) => (result.ok ? [] : result.faults)
const placesOf = (result: Parameters<typeof faultsOf>[0]) =>
  faultsOf(result).map(({ line, column, pointer }) => [line, column, pointer])

describe('parseConfig reading YAML', () => {
  it.each([
    ['nothing', ''],
    ['a lone byte order mark', '\uFEFF'],
    ['only comments', '# nothing\r\n\n# here'],
    ['null', 'null\n'],
    ['an empty mapping', '{}'],
    ['a document with its markers', '---\n{}\n...\n'],
  ])('reads %s as a file with all defaults', (_, text) => {
    expect(parseGroups(text)).toEqual({ ok: true, value: { groups: [], defaultGroups: ['player'] } })
  })

  it('reads Unix and Windows line ends alike, with and without a byte order mark', () => {
    const text = 'groups:\n  - name: player\n    permissions:\n      - world.build\n'
    const expected = parseGroups(text)
    expect(expected).toMatchObject({ ok: true, value: { groups: [{ name: 'player', permissions: ['world.build'] }] } })
    expect(parseGroups(text.replaceAll('\n', '\r\n'))).toEqual(expected)
    expect(parseGroups(`\uFEFF${text}`)).toEqual(expected)
  })

  it('counts lines and columns alike with any line ends and a byte order mark', () => {
    const text = 'wrong: 1\ngroups:\n  - nam: x\n'
    const expected = [
      [1, 1, '/wrong'],
      [3, 5, '/groups/0/name'],
      [3, 5, '/groups/0/permissions'],
      [3, 5, '/groups/0/nam'],
    ]
    expect(placesOf(parseGroups(text))).toEqual(expected)
    expect(placesOf(parseGroups(text.replaceAll('\n', '\r\n')))).toEqual(expected)
    expect(placesOf(parseGroups(`\uFEFF${text}`))).toEqual(expected)
  })

  it('fills in missing keys at every depth', () => {
    const result = parseServer('auth: {local: {requirePassword: true}}\nrealtime: {tickRate: 30}\n')
    expect(result).toMatchObject({
      ok: true,
      value: {
        auth: { provider: 'local', local: { requirePassword: true, bcryptCost: 12 } },
        http: { allowedOrigins: [], trustedProxies: 0, rateLimits: { signInPerMinutePerAccount: 10 } },
        realtime: { tickRate: 30, messageBurst: 120 },
      },
    })
  })

  it.each([
    ['a duplicate key', 'http:\n  trustedProxies: 1\n  trustedProxies: 2\n', 3, 3, 'is already in line 2'],
    ['a duplicate key, once in quotes', 'http: {}\n"http": {}\n', 2, 1, 'is already in line 1'],
    ['a second document', 'http: {}\n---\nhttp: {}\n', 2, 1, 'second document'],
    ['a tab as indentation', 'http:\n\ttrustedProxies: 1\n', 2, 1, 'Tabs'],
    ['an unclosed list', 'http:\n  allowedOrigins: [a\n', 3, 1, 'end with a ]'],
    ['an unclosed text', 'http: "x\n', 2, 1, 'quote'],
    ['an alias of nothing', 'http: *x\n', 1, 7, 'anchor is not defined before it'],
    ['an alias before its anchor', 'http: *x\nauth: &x {}\n', 1, 7, 'anchor is not defined before it'],
    ['an alias inside of its anchor', 'http: &x {a: *x}\n', 1, 14, 'inside its own anchor'],
    ['a tag of another language', 'http: !!js/function x\n', 1, 7, 'tags are not supported'],
    ['a mapping as a key', '? {a: 1}\n: 2\n', 1, 3, 'plain name'],
    ['text that is not YAML', 'http: {}\n<html>\n', 2, 1, 'need to be followed by map values'],
    ['a third document', 'http: {}\n...\n---\nhttp: {}\n---\n', 3, 1, 'second document'],
    ['NUL', 'http: {}\n# \0\n', 2, 3, 'U+0000'],
    ['NUL at the very beginning', '\0', 1, 1, 'U+0000'],
    ['half of a surrogate pair', 'http: "\ud800"\n', 1, 8, 'U+D800'],
    ['a terminal escape after a Windows line end', 'http: {}\r\nauth: "\u001b[2J"\r\n', 2, 8, 'U+001B'],
    ['a nesting too deep, at its 65th', `\n${'['.repeat(65)}`, 2, 65, 'more than 64 deep'],
    ['one line too many', '\n'.repeat(250_001), 250_001, 1, 'too large'],
  ])('refuses %s with the place', (_, text, line, column, message) => {
    expect(faultsOf(parseServer(text))[0]).toEqual({ line, column, message: expect.stringContaining(message) })
  })

  it.each(['[', '{a: ', '- ', '? ', ': '])('refuses %j nested ten thousand deep without crashing', (open) => {
    expect(faultsOf(parseServer(open.repeat(10_000)))).toEqual([
      { line: 1, column: expect.any(Number), message: 'is nested more than 64 deep' },
    ])
  })

  it('reads YAML 1.2 even if a file declares 1.1: yes is a string', () => {
    expect(placesOf(parseServer('%YAML 1.1\n---\nauth: {local: {requirePassword: yes}}\n'))).toEqual([
      [3, 16, '/auth/local/requirePassword'],
    ])
  })

  it('accepts a few aliases and refuses a bomb of them', () => {
    const shared = 'groups:\n  - {name: a, permissions: &p [x, y]}\n  - {name: b, permissions: *p}\n'
    expect(parseGroups(shared)).toMatchObject({ ok: true, value: { groups: [{}, { permissions: ['x', 'y'] }] } })
    const levels = Array.from(
      { length: 12 },
      (_, level) => `a${level}: &a${level} [${`*a${level - 1}, `.repeat(level ? 9 : 0)}x]`,
    )
    expect(faultsOf(parseGroups(levels.join('\n')))).toEqual([
      { line: 5, column: expect.any(Number), message: 'its aliases expand to too many values: write the values out' },
    ])
  })

  it('names the alias by which a short text expands to an excessive size', () => {
    const unfolding = (rules: number) =>
      `groups:\n  - &g {name: a, permissions: [${'b.c, '.repeat(rules)}]}\n${'  - *g\n'.repeat(90)}`
    expect(faultsOf(parseGroups(unfolding(100)))[0]?.message).toContain('earlier group')
    expect(faultsOf(parseGroups(unfolding(120)))).toEqual([
      { line: 84, column: 5, message: 'its aliases expand to too many values: write the values out' },
    ])
  })

  it('refuses more than 1 MiB, counted in bytes', () => {
    expect(parseGroups(`# ${'x'.repeat(1_048_570)}`).ok).toBe(true)
    expect(faultsOf(parseGroups(`# ${'é'.repeat(600_000)}`))).toEqual([{ message: 'is larger than 1 MiB' }])
  })

  it('treats keys with a meaning in JavaScript as unknown keys', () => {
    expect(placesOf(parseGroups('__proto__: {groups: []}\nconstructor: 1\n'))).toEqual([
      [1, 1, '/__proto__'],
      [2, 1, '/constructor'],
    ])
  })

  it('counts the faults above a hundred instead of listing them', () => {
    const faults = faultsOf(parseGroups(Array.from({ length: 150 }, (_, index) => `key${index}: 1`).join('\n')))
    expect(faults).toHaveLength(101)
    expect(faults.at(-1)).toEqual({ message: 'and 50 more faults' })
  })

  it('never throws, whatever the text', () => {
    const token = fc.constantFrom(
      'groups',
      'http',
      ':',
      ' ',
      '\n',
      '  ',
      '- ',
      '[',
      ']',
      '{',
      '}',
      '&a',
      '*a',
      '"',
      "'",
      '#',
      '|',
      '?',
      '!',
      '%',
      '\t',
      '---',
      ',',
      '1',
    )
    const text = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 60 }),
      fc.array(token, { maxLength: 40 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (sample) => {
        const faults = [parseServer(sample), parseGroups(sample)].flatMap(faultsOf)
        for (const { line, column, message } of faults) {
          expect(message).not.toBe('')
          expect(line).toBeGreaterThan(0)
          expect(column).toBeGreaterThan(0)
        }
      }),
      { numRuns: 1_500, seed: 4 },
    )
  })
})

describe('parseConfig checking the schema', () => {
  it('lists every fault, in the order of the text', () => {
    const text = [
      'groups:',
      '  - name: Player',
      '    permissions: [World.build, ok.one, "a..b"]',
      '  - permissions: x',
      '    extra: 1',
      'defaultGroups: player',
      'other: 1',
    ].join('\n')
    expect(placesOf(parseGroups(text))).toEqual([
      [2, 5, '/groups/0/name'],
      [3, 19, '/groups/0/permissions/0'],
      [3, 40, '/groups/0/permissions/2'],
      [4, 5, '/groups/1/name'],
      [4, 5, '/groups/1/permissions'],
      [5, 5, '/groups/1/extra'],
      [6, 1, '/defaultGroups'],
      [7, 1, '/other'],
    ])
  })

  it.each(['hello', '- 1', '3', 'true'])('refuses %j in place of a mapping', (text) => {
    expect(faultsOf(parseServer(text))).toEqual([{ line: 1, column: 1, pointer: '', message: 'must be an object' }])
  })

  it.each([
    ['realtime: {tickRate: 0}', '/realtime/tickRate'],
    ['realtime: {tickRate: 61}', '/realtime/tickRate'],
    ['realtime: {tickRate: 20.5}', '/realtime/tickRate'],
    ['realtime: {tickRate: .inf}', '/realtime/tickRate'],
    ['realtime: {tickRate: .nan}', '/realtime/tickRate'],
    ['realtime: {tickRate: "20"}', '/realtime/tickRate'],
    ['realtime: {viewRadius: 17}', '/realtime/viewRadius'],
    ['auth: {local: {bcryptCost: 9}}', '/auth/local/bcryptCost'],
    ['auth: {local: {bcryptCost: 15}}', '/auth/local/bcryptCost'],
    ['auth: {provider: saml}', '/auth/provider'],
    ['auth: {local: {requirePassword: "false"}}', '/auth/local/requirePassword'],
    ['http: {rateLimits: {signInPerMinutePerAccount: 0}}', '/http/rateLimits/signInPerMinutePerAccount'],
    ['http: {rateLimits: {requestsPerMinutePerToken: 1000001}}', '/http/rateLimits/requestsPerMinutePerToken'],
    ['http: {trustedProxies: -1}', '/http/trustedProxies'],
    ['http:\n', '/http'],
  ])('refuses %j at %s', (text, pointer) => {
    const faults = faultsOf(parseServer(text))
    expect(faults).toContainEqual(expect.objectContaining({ pointer, line: 1 }))
    expect(new Set(faults.map((fault) => fault.pointer)).size).toBe(1)
  })

  it.each(['*', '-*', 'a', 'a.b', 'a.*', '-a.b.*', 'a-b.c_d.0'])('accepts %j as a permission', (text) => {
    expect(parseGroups(`groups: [{name: x, permissions: ["${text}"]}]`).ok).toBe(true)
  })

  it.each(['', '-', 'A', 'a.', '.a', 'a..b', 'a.*.b', '*.a', '**', 'a*', '--a', 'a b', 'é', 'a.*\\n'])(
    'does not accept %j as a permission',
    (text) => {
      expect(placesOf(parseGroups(`groups: [{name: x, permissions: ["${text}"]}]`))).toEqual([[1, 34, '/groups/0/permissions/0']])
    },
  )
})

it('places faults from elsewhere in the order of the text', () => {
  const faults = ['/shop/prices', '/shop/gift', '/shop'].map((pointer) => ({ pointer, message: 'is wrong' }))
  const placed = locatePointers('shop:\n  gift: 1\n  prices: 2\n', faults)
  expect(placed.map(({ line, pointer }) => [line, pointer])).toEqual([
    [1, '/shop'],
    [2, '/shop/gift'],
    [3, '/shop/prices'],
  ])
})
