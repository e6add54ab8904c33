import { describe, expect, it } from '@jest/globals'
import { Type } from '@sinclair/typebox'
import { catalogue } from '../../../../../shared/domain/configs/catalogue.ts'
import { defineConfigFile } from '../../../../../shared/domain/configs/declare/config-file.ts'
import { parseConfig } from '../../../../../shared/domain/configs/reading/parse-config.ts'

const object = <T extends Parameters<typeof Type.Object>[0]>(properties: T) =>
  Type.Object(properties, { additionalProperties: false })

/** A config file with a rule between two keys, and with known keys that are named like secrets. */
const file = defineConfigFile({
  schema: object({
    low: Type.Integer({ default: 1 }),
    high: Type.Integer({ default: 2 }),
    requirePassword: Type.Boolean({ default: false }),
    clientSecretEnv: Type.String({ default: '', pattern: '^[A-Z_]*$', description: 'the name of a variable' }),
    mode: Type.Union([Type.Literal('a'), Type.Literal('b')], { default: 'a' }),
    tokens: Type.Optional(object({ limit: Type.Integer({ default: 1, maximum: 5 }) })),
    names: Type.Array(Type.String({ maxLength: 3 }), { default: [] }),
  }),
  summary: 'A file.',
  effect: 'reload',
  crossCheck: ({ low, high }) => (low <= high ? [] : [{ pointer: '/low', message: 'is above high' }]),
})
const faultsOf = (text: string) => {
  const result = parseConfig(file, text)
  return result.ok ? [] : result.faults
}

describe('keys named like secrets', () => {
  it.each([
    ...['secret', 'clientSecret', 'client_secret', 'client-secret', 'CLIENT_SECRET', 'secretKey', 'mySecretThing'],
    ...['password', 'Password', 'dbPassword', 'passwd', 'passphrase', 'token', 'accessToken', 'token_2', 'apiKey', 'api_key'],
    ...['API-KEY', 'x.api.key', 'privateKey', 'private_key_pem', 'accessKeyId', 'credential', 'credentials', 'bearer', 'pwd'],
  ])('refuse %j with the way to pass it, without the value', (key) => {
    const [fault, ...others] = faultsOf(`low: 1\n${key}: hunter2hunter2\n`)
    expect(others).toEqual([])
    expect(fault).toEqual({
      line: 2,
      column: 1,
      pointer: `/${key}`,
      message: expect.stringMatching(/must not contain secrets.*environment variable.*clientSecretEnv/),
    })
    expect(JSON.stringify(fault)).not.toContain('hunter2')
  })

  it.each(['lows', 'key', 'blockKey', 'pass', 'author', 'monkey'])('report only that %j is not known', (key) => {
    expect(faultsOf(`${key}: 1`)).toEqual([{ line: 1, column: 1, pointer: `/${key}`, message: 'is not a known key' }])
  })

  it('are accepted when the schema has them', () => {
    expect(faultsOf('requirePassword: true\nclientSecretEnv: OAUTH_SECRET\ntokens: {limit: 2}\n')).toEqual([])
    const server = 'http: {rateLimits: {requestsPerMinutePerToken: 5}}\nauth: {local: {requirePassword: true}}\n'
    expect(parseConfig(catalogue['server.yaml'], server).ok).toBe(true)
  })

  it('are reported at any depth', () => {
    expect(faultsOf('tokens: {apiKey: x}')).toEqual([
      expect.objectContaining({ pointer: '/tokens/apiKey', column: 10, message: expect.stringContaining('environment') }),
    ])
  })
})

describe('quotes in faults', () => {
  const secret = 'hunter2hunter2'
  it.each([
    ['a tag', `low: !${secret}`],
    ['a tag of an address', `low: !<${secret}> 1`],
    ['an alias', `low: *${secret}`],
    ['an anchor on an alias', `low: &${secret} *x`],
    ['an alias in itself', `low: &${secret} [*${secret}]`],
    ['a directive', `%${secret}\n---\n{}`],
    ['a directive with a name', `%TAG ${secret}`],
    ['the head of a block scalar', `low: |${secret}\n  x`],
    ['text after a quoted text', `low: "a" ${secret}`],
    ['text after a list', `low: [a] ${secret}`],
    ['text with a reserved first character', `low: @${secret}`],
    ['an escape', `low: "\\${secret}"`],
    ['quotes that do not end', `low: "${secret}`],
    ['a line without a colon', `low: 1\n${secret}\n`],
    ['a text in place of a number', `low: ${secret}`],
    ['a text in place of a list', `names: ${secret}`],
    ['an overlong text', `names: [${secret}]`],
    ['a text that is not one of the allowed ones', `mode: ${secret}`],
    ['a text of the wrong form', `clientSecretEnv: ${secret}`],
    ['the value of an unknown key', `other: ${secret}`],
    ['the value of a duplicate key', `low: 1\nlow: ${secret}`],
    ['a text in place of everything', secret],
    ['a second document', `low: 1\n--- ${secret}`],
    ['a bracket that was never opened', `] ${secret}`],
    ['a bracket with a text', `low: ]${secret}`],
    ['a comment without its space', `low: "a"#${secret}`],
  ])('never contain the text itself: %s', (_, text) => {
    const faults = faultsOf(text)
    expect(faults.length).toBeGreaterThan(0)
    expect(JSON.stringify(faults)).not.toMatch(/hunt|2h/)
  })

  it.each(['https://ann:hunter2@a.example', 'ftp://hunter2@a.example'])(
    'do not contain the password of an address: %s',
    (origin) => {
      const result = parseConfig(catalogue['server.yaml'], `http: {allowedOrigins: ["${origin}"]}`)
      expect(result).toMatchObject({
        ok: false,
        faults: [{ message: expect.stringContaining('contains a user name or a password') }],
      })
      expect(JSON.stringify(result)).not.toContain('hunter2')
    },
  )

  it('contain the beginning of a key, and no pointer above 1,024 characters', () => {
    const key = 'k'.repeat(1000)
    expect(faultsOf(`${key}: 1\n${key}: 2\n`)[0]?.message.length).toBeLessThan(120)
    expect(faultsOf(`? ${key}${key}\n: 1\n`)).toEqual([{ line: 1, column: 3, message: 'is not a known key' }])
  })
})

describe('faults of additional rules', () => {
  it('are listed when the schema only refuses unknown keys', () => {
    expect(faultsOf('low: 3\nother: 1\ntokens: {more: 1, "a/b~c": 2}\n')).toEqual([
      { line: 1, column: 1, pointer: '/low', message: 'is above high' },
      { line: 2, column: 1, pointer: '/other', message: 'is not a known key' },
      { line: 3, column: 10, pointer: '/tokens/more', message: 'is not a known key' },
      { line: 3, column: 19, pointer: '/tokens/a~1b~0c', message: 'is not a known key' },
    ])
  })

  it('are omitted when a value that a rule may need is wrong', () => {
    expect(faultsOf('low: 3\nhigh: "4"\nother: 1\n').map(({ pointer }) => pointer)).toEqual(['/high', '/other'])
  })
})
