import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type ConfigParser, createConfigParser, readConfig } from '../../../../../shared/domain/configs/reading/config-parser.ts'
import { createConfigTexts } from '../../../../support/configs/config-texts.ts'

const long = `${'# a comment\n'.repeat(3_000)}defaultGroups: [a]\n`

describe('readConfig with a parser', () => {
  let parser: ConfigParser
  let parses: number
  const read = (text: string) => readConfig(createConfigTexts({ 'groups.yaml': text }), 'groups.yaml', { parser: counting() })
  const counting = (): Pick<ConfigParser, 'parse'> => ({
    parse: (...job) => {
      parses += 1
      return parser.parse(...job)
    },
  })

  beforeEach(() => {
    parser = createConfigParser({ timeoutMs: 60_000 })
    parses = 0
  })
  afterEach(() => parser.close())

  it('gives short and long texts to the parser', async () => {
    expect(await read('defaultGroups: [a]\n')).toEqual({ ok: true, value: { groups: [], defaultGroups: ['a'] } })
    expect(await read(long)).toEqual({ ok: true, value: { groups: [], defaultGroups: ['a'] } })
    expect(await read(`${long}other: 1\n`)).toMatchObject({ ok: false, faults: [{ line: 3_002, pointer: '/other' }] })
    expect(parses).toBe(3)
  })

  it('does not report a file as broken when the parser is unavailable', async () => {
    await parser.close()
    expect(await read(long)).toMatchObject({ ok: true })
    expect(parses).toBe(1)
  })
})
