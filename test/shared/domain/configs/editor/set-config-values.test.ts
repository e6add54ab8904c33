import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { removeConfigValue, setConfigValues } from '../../../../../shared/domain/configs/editor/set-config-values.ts'

const settings = [
  { path: ['auth', 'local', 'requirePassword'], value: true },
  { path: ['auth', 'local', 'registration'], value: 'invite' },
]
const values = { requirePassword: true, registration: 'invite' }

describe('setConfigValues', () => {
  it('keeps the comments of the starter file at the top', async () => {
    const starter = await readFile(new URL('../../../../../resources/starter/server.yaml', import.meta.url), 'utf8')
    const text = setConfigValues(starter, settings)
    expect(text.startsWith(starter.trimEnd())).toBe(true)
    expect(parse(text)).toEqual({ auth: { local: values } })
    expect(text).toMatch(/\n\nauth:\n {2}local:\n {4}requirePassword: true\n {4}registration: invite\n$/)
  })

  it.each([
    ['', { auth: { local: values } }],
    ['{}\n', { auth: { local: values } }],
    ['auth: { local: { bcryptCost: 10 } }\n', { auth: { local: { bcryptCost: 10, ...values } } }],
    [
      'http:\n  trustedProxies: 1 # ours\nauth:\n  local:\n    requirePassword: false # for a test\n',
      { http: { trustedProxies: 1 }, auth: { local: values } },
    ],
  ])('sets values in %j and keeps the rest', (before, after) => {
    const text = setConfigValues(before, settings)
    expect(parse(text)).toEqual(after)
    for (const comment of before.match(/#.*$/gm) ?? []) expect(text).toContain(comment)
  })
})

describe('removeConfigValue', () => {
  const path = ['modules', 'slow', 'enabled']

  it.each([
    ['modules:\n  slow:\n    enabled: false\n', '{}\n'],
    ['# Ours\nmodules: { slow: { enabled: false }, shop: {} }\n', '# Ours\nmodules: { shop: {} }\n'],
    ['modules:\n  slow:\n    required: true # always\n    enabled: false\n', 'modules:\n  slow:\n    required: true # always\n'],
    ['modules: { slow: {} }\n', 'modules: { slow: {} }\n'],
    ['# Nothing yet\n', '# Nothing yet\n'],
  ])('makes %j into %j', (before, after) => expect(removeConfigValue(before, path)).toBe(after))
})
