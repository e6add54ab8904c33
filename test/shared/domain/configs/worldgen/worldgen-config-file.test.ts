import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { catalogue } from '../../../../../shared/domain/configs/catalogue.ts'
import { parseConfig } from '../../../../../shared/domain/configs/reading/parse-config.ts'
import { worldgenConfigFile } from '../../../../../shared/domain/configs/worldgen/worldgen-config-file.ts'

const parse = (text: string) => parseConfig(catalogue['worldgen.yaml'], text)
const faultsOf = (text: string) => {
  const result = parse(text)
  return result.ok ? [] : result.faults
}

describe('worldgen.yaml', () => {
  it('has every key with its default in the bundled file', async () => {
    const text = await readFile(resolve(import.meta.dirname, '../../../../../resources/config/worldgen.yaml'), 'utf8')
    const shown = text
      .slice(text.indexOf('# # terrain-1'))
      .replaceAll(/^# ?/gm, '')
      .replaceAll(/^\{\}$/gm, '')
    expect(parse(shown)).toEqual(parse(''))
    const keys = JSON.stringify(worldgenConfigFile.parse({})).match(/"(\w+)":/g) ?? []
    for (const key of keys.filter((name) => !['"ok":', '"value":'].includes(name)))
      expect(shown).toContain(`${key.slice(1, -2)}:`)
    expect(parse(text)).toEqual(parse(''))
  })

  it('fills in the rest of an ore and of a layer', () => {
    expect(parse('ores: [{block: tin_ore}]\nflat: {layers: [{block: mud}]}')).toMatchObject({
      ok: true,
      value: {
        ores: [{ block: 'tin_ore', minY: 1, maxY: 64, veinsPerColumn: 8, veinBlocks: 8 }],
        flat: { layers: [{ block: 'mud', height: 1 }] },
      },
    })
  })

  it('refuses an ore with reversed heights, at its line', () => {
    expect(faultsOf('ores:\n  - {block: coal_ore}\n  - block: iron_ore\n    minY: 70\n')).toEqual([
      { pointer: '/ores/1/maxY', line: 3, column: 5, message: expect.stringContaining('below minY (70)') },
    ])
  })

  it('refuses layers above the world, at the first of them', () => {
    const text = 'flat:\n  layers:\n    - {block: stone, height: 256}\n    - {block: dirt}\n    - {block: grass}\n'
    expect(faultsOf(text)).toEqual([
      { pointer: '/flat/layers/1', line: 4, column: 7, message: expect.stringContaining('height 257') },
    ])
    expect(faultsOf('flat: {layers: [{block: stone, height: 256}]}')).toEqual([])
  })

  it.each(['generator: terrain-9', 'seaLevel: 250', 'ores: [{block: Coal}]', 'caves: {width: -1}', 'seas: 1'])(
    'refuses %s',
    (text) => {
      expect(faultsOf(text)).toHaveLength(1)
    },
  )
})
