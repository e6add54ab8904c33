import { describe, expect, it } from '@jest/globals'
import { createStoredConfigs } from '../../../../../shared/domain/configs/editor/stored-configs.ts'
import { type ConfigParser, createConfigParser } from '../../../../../shared/domain/configs/reading/config-parser.ts'
import { createConfigTexts } from '../../../../support/configs/config-texts.ts'
import { createFixedConfigs } from '../../../../support/configs/fixed-configs.ts'

const stored = 'groups: [{name: stored, permissions: []}]'

const open = () => {
  const files = createConfigTexts({ 'groups.yaml': stored })
  const configs = createFixedConfigs({ groups: { groups: [{ name: 'in-force', permissions: [] }] } })
  const { parse } = createConfigParser({ timeoutMs: 60_000 })
  const parser = { parse, asked: 0 }
  const counting: Pick<ConfigParser, 'parse'> = {
    parse: (...asked) => {
      parser.asked += 1
      return parser.parse(...asked)
    },
  }
  const configsOnDisk = createStoredConfigs({ files, configs, parser: counting })
  return { files, parser, read: async () => (await configsOnDisk.read('groups.yaml')).groups[0]?.name }
}

describe('stored configs', () => {
  it('are parsed once per text', async () => {
    const { files, parser, read } = open()
    expect([await read(), await read()]).toEqual(['stored', 'stored'])
    expect(parser.asked).toBe(1)
    files.texts['groups.yaml'] = 'groups: [{name: other, permissions: []}]'
    expect(await read()).toBe('other')
    expect(parser.asked).toBe(2)
  })

  it('equal the active configs while the text is broken, and the stored text afterwards', async () => {
    const { files, read } = open()
    files.texts['groups.yaml'] = 'groups: ['
    expect(await read()).toBe('in-force')
    files.texts['groups.yaml'] = stored
    expect(await read()).toBe('stored')
  })

  it('are requested again after a timeout of the parser', async () => {
    const { parser, read } = open()
    const { parse } = parser
    parser.parse = async () => ({ ok: false, faults: [{ message: 'takes too long to read' }] })
    expect(await read()).toBe('in-force')
    parser.parse = parse
    expect(await read()).toBe('stored')
  })
})
