import { afterEach, describe, expect, it } from '@jest/globals'
import { catalogue } from '../../../../../shared/domain/configs/catalogue.ts'
import { type ConfigParser, createConfigParser } from '../../../../../shared/domain/configs/reading/config-parser.ts'
import { parseConfig } from '../../../../../shared/domain/configs/reading/parse-config.ts'
import { createFixedConfigs } from '../../../../support/configs/fixed-configs.ts'

const filler = `# ${'x'.repeat(100)}\n`.repeat(100)
const texts: readonly [string, string][] = [
  ['a valid text', 'groups: [{name: a, permissions: [x]}]\n'],
  ['a byte order mark and Windows line ends', '\uFEFFgroups:\r\n- name: 1\r\n'],
  ['no YAML', 'groups: [\n'],
  ['faults against the schema', 'groups: [{name: A}]\nother: 1\n'],
  ['faults against the rules', 'groups: [{name: admin, permissions: []}]\nother: 1\n'],
  ['more than a hundred faults', Array.from({ length: 150 }, (_, at) => `key${at}: 1`).join('\n')],
]

describe('createConfigParser', () => {
  const parsers: ConfigParser[] = []
  const open = (options = {}): ConfigParser => {
    const parser = createConfigParser(options)
    parsers.push(parser)
    return parser
  }
  afterEach(async () => {
    await Promise.all(parsers.splice(0).map((parser) => parser.close()))
  })

  it('returns the same as parseConfig, with and without a thread', async () => {
    const [aside, inline] = [open({ inlineBytesMax: 0 }), open({ inlineBytesMax: 1_000_000 })]
    for (const [, text] of texts) {
      const expected = parseConfig(catalogue['groups.yaml'], filler + text)
      expect(await aside.parse('groups.yaml', filler + text)).toEqual(expected)
      expect(await inline.parse('groups.yaml', filler + text)).toEqual(expected)
    }
  }, 180_000)

  it.each([0, 1_000_000])(
    'lists additional faults in order, with line and column (at most %d bytes inline)',
    async (inlineBytesMax) => {
      const parser = open({ inlineBytesMax })
      const seen: string[][] = []
      const result = await parser.parse('groups.yaml', `${filler}groups: []\ndefaultGroups:\n  - a\nother: 1\n`, {
        besides: ({ defaultGroups }) => {
          seen.push(defaultGroups)
          return [{ pointer: '/defaultGroups/0', message: 'is not wanted' }, { message: 'locks you out' }]
        },
      })
      expect(seen).toEqual([['a']])
      expect(result).toEqual({
        ok: false,
        faults: [
          { line: 101, column: 1, pointer: '', message: 'locks you out' },
          { line: 103, column: 5, pointer: '/defaultGroups/0', message: 'is not wanted' },
          { line: 104, column: 1, pointer: '/other', message: 'is not a known key' },
        ],
      })
    },
  )

  it('skips additional rules when the schema is violated', async () => {
    const besides = () => {
      throw new Error('asked')
    }
    expect(await open().parse('groups.yaml', 'groups: 1', { besides })).toMatchObject({ ok: false })
  })

  it('checks a text against the values of the files that it refers to', async () => {
    const configs = createFixedConfigs()
    const others = { find: configs.get }
    const classes =
      'classes: {warrior: {resource: RAGE, bonuses: {str: 0, dex: 0, int: 0, wis: 0, con: 0, cha: 0}, hpFormula: "10", levels: {"1": {attacks: [{attack: nosuch, rank: 1}], spells: []}}}}'
    const [aside, inline] = [open({ inlineBytesMax: 0 }), open()]
    const answers = await Promise.all([aside, inline].map((parser) => parser.parse('classes.yaml', classes, { others })))
    expect(answers[0]).toEqual(answers[1])
    expect(JSON.stringify(answers[0])).toContain('nosuch')
  })

  it('aborts a text that takes too long, and reads the next', async () => {
    const parser = open({ inlineBytesMax: 0, timeoutMs: 1 })
    expect(await parser.parse('groups.yaml', `[${'a,'.repeat(60_000)}]`)).toEqual({
      ok: false,
      faults: [{ line: 1, column: 1, message: expect.stringContaining('too long to read') }],
    })
    expect(await open({ inlineBytesMax: 0 }).parse('groups.yaml', '{}')).toMatchObject({ ok: true })
  })

  it('reads a short text in the thread if something can repeat in it', async () => {
    const parser = open({ timeoutMs: 0 })
    expect(await parser.parse('groups.yaml', 'groups: []\n')).toMatchObject({ ok: true })
    expect(await parser.parse('groups.yaml', '# Tom & Jerry\ngroups: []\n')).toMatchObject({ ok: true })
    expect(await parser.parse('groups.yaml', 'groups: &g []\ndefaultGroups: *g\n')).toMatchObject({
      ok: false,
      faults: [{ message: expect.stringContaining('too long to read') }],
    })
  })

  it('does not block the event loop while it reads 1 MiB of slow text', async () => {
    const parser = open()
    await parser.parse('groups.yaml', filler)
    let turns = 0
    const turning = setInterval(() => {
      turns += 1
    }, 1)
    const result = await parser.parse('groups.yaml', `- ${'&a '.repeat(120_000)}`)
    clearInterval(turning)
    expect(result).toMatchObject({ ok: false })
    expect(turns).toBeGreaterThan(10)
  }, 180_000)

  it('refuses texts above its queue limit, and after close', async () => {
    const parser = open({ inlineBytesMax: 0 })
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => parser.parse('groups.yaml', '{}')))
    const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(refused).toHaveLength(4)
    expect(refused[0]).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 1 })
    await parser.close()
    await expect(parser.parse('groups.yaml', '{}')).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('refuses more than 1 MiB without a thread', async () => {
    expect(await open().parse('groups.yaml', '#'.repeat(1_048_577))).toEqual({
      ok: false,
      faults: [{ message: 'is larger than 1 MiB' }],
    })
  })
})
