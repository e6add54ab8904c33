import { describe, expect, it } from '@jest/globals'
import { catalogue, configNames } from '../../shared/domain/configs/catalogue.ts'
import { createConfigSchema } from '../../shared/domain/configs/config-schemas.ts'
import type { ConfigFile, ConfigName, ConfigValues } from '../../shared/domain/configs/declare/config-file.ts'
import { parseConfig } from '../../shared/domain/configs/reading/parse-config.ts'
import { createEffectFinder } from '../../tools/generate/config-effects.ts'
import { configExamples } from '../../tools/generate/config-examples.ts'
import { formatSteps, listConfigKeys } from '../../tools/generate/config-keys.ts'
import { createConfigurationPage } from '../../tools/generate/configuration-page.ts'
import { listStale } from '../../tools/generate/made-files.ts'

const page = createConfigurationPage()

const parseExample = <N extends ConfigName>(name: N) => {
  const file: ConfigFile<ConfigValues[N]> = catalogue[name]
  return parseConfig(file, configExamples[name] ?? '')
}

const effectsOf = (name: ConfigName) => {
  const schema = createConfigSchema(name)
  const findEffect = createEffectFinder(name, schema)
  return new Map(listConfigKeys(schema).map((key) => [formatSteps(key.steps), findEffect(key)]))
}

describe('docs/configuration.md', () => {
  it('matches the catalogue: else run npm run generate', () => {
    expect(listStale(new Map([['docs/configuration.md', page]]), [])).toEqual([])
  })

  it.each(configNames)('has a line for every key of %s, with a description and its default', (name) => {
    const part = page.slice(page.indexOf(`## \`${name}\``)).split('\n## ')[0] ?? ''
    for (const { steps, schema } of listConfigKeys(createConfigSchema(name))) {
      const line = part.split('\n').find((one) => one.startsWith(`| \`${formatSteps(steps)}\` |`)) ?? ''
      expect(line).toContain(String(schema.description).replaceAll('|', '\\|'))
      if (typeof schema.default === 'number' || typeof schema.default === 'boolean')
        expect(line).toContain(`| \`${schema.default}\` |`)
    }
    expect(part).toContain(catalogue[name].summary)
  })

  it('has as many cells in each line as its table has columns', () => {
    const lines = page.split('\n').filter((line) => line.startsWith('| `') && !line.startsWith('| `now'))
    expect(lines.length).toBeGreaterThan(50)
    const widths = lines.map((line) => line.replaceAll('\\|', '').split('|').length - 2)
    expect(new Set(widths)).toEqual(new Set([5, 2]))
  })

  it.each(configNames)('shows a valid example of %s', (name) => {
    const text = configExamples[name] ?? ''
    expect(text.trim()).not.toBe('')
    expect(parseExample(name)).toMatchObject({ ok: true })
    expect(page).toContain(text.trim())
  })
})

describe('the effect of a changed key, found by experiment', () => {
  it('is a restart for the tick rate, and a reload for the limits', () => {
    const effects = effectsOf('server.yaml')
    expect(effects.get('realtime.tickRate')).toBe('restart')
    expect(effects.get('realtime.messagesPerSecond')).toBe('reload')
    expect(effects.get('http.rateLimits.requestsPerMinutePerToken')).toBe('reload')
  })

  it('is a reload for groups, and immediate for a description', () => {
    const effects = effectsOf('groups.yaml')
    expect(effects.get('groups[].permissions')).toBe('reload')
    expect(effects.get('groups[].description')).toBe('now')
  })

  it('is a reload for an added block, and a restart for a removed one', () => {
    expect(effectsOf('blocks.yaml').get('blocks')).toEqual({ added: 'reload', takenAway: 'restart' })
  })

  it('is a restart for everything about new worlds', () => {
    expect(new Set(effectsOf('worldgen.yaml').values())).toEqual(new Set(['restart']))
  })

  it.each(configNames)('is never more for a key of %s than for the whole file', (name) => {
    const all = [...effectsOf(name).values()].flatMap((effect) => (typeof effect === 'string' ? [effect] : Object.values(effect)))
    if (catalogue[name].effect === 'reload') expect(all).not.toContain('restart')
    else expect(all).toContain('restart')
  })
})
