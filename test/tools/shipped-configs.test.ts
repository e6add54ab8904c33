import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { catalogue, configNames } from '../../shared/domain/configs/catalogue.ts'
import type { ConfigFile, ConfigName, ConfigValues } from '../../shared/domain/configs/declare/config-file.ts'
import { parseConfig } from '../../shared/domain/configs/reading/parse-config.ts'
import { findShippedValue } from '../../shared/domain/configs/reading/shipped-value.ts'
import { listStale } from '../../tools/generate/made-files.ts'
import { makeShippedConfigs, shippedConfigsFolder } from '../../tools/generate/shipped-configs.ts'

const readShipped = (name: ConfigName): Promise<string> =>
  readFile(resolve(import.meta.dirname, '../../resources/config', name), 'utf8')

const parse = <N extends ConfigName>(name: N, text: string) => {
  const file: ConfigFile<ConfigValues[N]> = catalogue[name]
  return parseConfig(file, text)
}

describe('the values of the shipped configs', () => {
  it('match the shipped texts: else run npm run generate', () => {
    expect(listStale(makeShippedConfigs(), [shippedConfigsFolder])).toEqual([])
  })

  it.each(configNames)('are found for %s by its text, and equal its parsed text', async (name) => {
    const text = await readShipped(name)
    expect({ ok: true, value: findShippedValue(name, text) }).toEqual(parse(name, text))
  })

  it.each(configNames)('are not found for a text that differs from the shipped %s in one byte', async (name) => {
    expect(findShippedValue(name, `${await readShipped(name)}\n`)).toBeUndefined()
    expect(findShippedValue(name, '')).toBeUndefined()
  })

  it('are copies, so that a change by one reader does not affect the next', async () => {
    const text = await readShipped('blocks.yaml')
    const count = findShippedValue('blocks.yaml', text)?.blocks.length
    findShippedValue('blocks.yaml', text)?.blocks.splice(0)
    expect(findShippedValue('blocks.yaml', text)?.blocks.length).toBe(count)
  })
})
