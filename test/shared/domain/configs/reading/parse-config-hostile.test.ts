import { describe, expect, it } from '@jest/globals'
import { catalogue } from '../../../../../shared/domain/configs/catalogue.ts'
import { parseConfig } from '../../../../../shared/domain/configs/reading/parse-config.ts'

const bytesMax = 1_048_576
const repeat = (unit: string | ((at: number) => string), chars: number): string => {
  const parts: string[] = []
  for (let [at, length] = [0, 0]; length < chars; at += 1) {
    const part = typeof unit === 'string' ? unit : unit(at)
    parts.push(part)
    length += part.length
  }
  return parts.join('')
}
const groups = (count: number, more: (at: number) => string) =>
  `groups:\n${Array.from({ length: count }, (_, at) => `- {name: g${at}, permissions: []${more(at)}}\n`).join('')}`
const chain = (count: number) => groups(count, (at) => (at + 1 < count ? `, inherits: [g${at + 1}]` : ''))

/** Each text is slow, deep or large for a naive parser. For ours, none costs more than its characters and signs. */
const hostile: readonly [string, string][] = [
  ['1 MiB of keys', repeat((at) => `k${at}: 1\n`, 1_000_000)],
  ['the same key a thousand times', repeat('a: 1\n', 5_000)],
  ['1 MiB of commas', `[${repeat(',', 1_000_000)}`],
  ['20,000 brackets that nobody opened', repeat(']', 20_000)],
  ['20,000 anchors on one value', `- ${repeat('&a ', 60_000)}`],
  ['20,000 wrong escapes', `a: "${repeat('\\q', 40_000)}"`],
  ['stairs of indentation', repeat((at) => `${' '.repeat(40 - (at % 40))}a:\n`, 100_000)],
  [
    '60 levels, over and over',
    repeat(() => Array.from({ length: 60 }, (_, deep) => `${' '.repeat(deep)}k:\n`).join(''), 100_000),
  ],
  ['5,000 anchors, each with its alias', `[${repeat((at) => `&a${at} {a: b},*a${at},`, 80_000)}]`],
  ['10,000 aliases of one anchor', `a: &a [1]\nb: [${repeat('*a,', 30_000)}]`],
  ['aliases of aliases', repeat((at) => `a${at}: &a${at} [${`*a${at - 1},`.repeat(at ? 9 : 0)}x]\n`, 2_000)],
  ['10,000 groups without anything', `groups:\n${repeat('- {}\n', 50_000)}`],
  ['50,000 rules that are none', `groups:\n- name: a\n  permissions:\n${repeat('  - A\n', 100_000)}`],
  ['a rule of 1 MiB', `groups:\n- name: a\n  permissions:\n  - ${repeat('a.', 1_000_000)}`],
  ['1 MiB of spaces', `a: b${' '.repeat(1_000_000)}c`],
  ['1 MiB of tabs', repeat('\t', 1_000_000)],
  ['1 MiB of empty lines', repeat('\n', 1_000_000)],
  ['a block of 1 MiB', `a: |\n${repeat('  x\n', 1_000_000)}`],
  ['a number of 1 MiB', repeat('1', 1_000_000)],
  ['20,000 comments', `a: b\n${repeat(' # c\n', 100_000)}`],
  ['20,000 directives', repeat('%a\n', 60_000)],
  ['20,000 documents', repeat('---\n', 80_000)],
  ['5,000 groups, each inheriting the next', groups(5_000, (at) => `, inherits: [g${at + 1}]`)],
  ['1,000 groups in a circle', groups(1_000, (at) => `, inherits: [g${(at + 1) % 1_000}]`)],
]

describe('parseConfig with malicious texts', () => {
  it.each(hostile)('returns for %s at most a hundred faults, and the number of further ones', (_, text) => {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytesMax)
    const result = parseConfig(catalogue['groups.yaml'], text)
    if (result.ok) return
    expect(result.faults.length).toBeLessThanOrEqual(101)
    expect(JSON.stringify(result.faults).length).toBeLessThan(100_000)
    for (const { line, message } of result.faults) expect(line !== undefined || /^and \d+ more faults$/.test(message)).toBe(true)
  })

  it.each([
    ['a thousand groups', groups(1_000, () => ''), groups(1_001, () => '')],
    ['six hundred groups, each inheriting the next', chain(600), chain(1_000)],
  ])('reads %s, and refuses more', (_, text, more) => {
    expect(parseConfig(catalogue['groups.yaml'], text).ok).toBe(true)
    expect(parseConfig(catalogue['groups.yaml'], more)).toMatchObject({ ok: false, faults: [{ pointer: '/groups' }] })
  })

  it('accepts a thousand aliases and no more', () => {
    const aliased = (count: number) =>
      parseConfig(
        catalogue['groups.yaml'],
        `groups: [${Array.from({ length: count }, (_, at) => `{name: &n${at} g${at}, permissions: [], inherits: [*n${at}]}`).join(',')}]`,
      )
    expect(JSON.stringify(aliased(1_000))).not.toContain('aliases')
    expect(JSON.stringify(aliased(1_001))).toContain('more than 1000 aliases')
  })
})
