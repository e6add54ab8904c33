import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from '@jest/globals'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { socketsDescription } from '../../functions/service/generated/asyncapi.ts'
import { doors } from './doors.ts'

const schemaPath = createRequire(import.meta.url).resolve('@asyncapi/specs/schemas/3.0.0-without-$id.json')

type Reference = { readonly $ref: string }
const isReference = (value: unknown): value is Reference => typeof value === 'object' && value !== null && '$ref' in value

const listReferences = (value: unknown): string[] => {
  if (isReference(value)) return [value.$ref]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listReferences) : []
}

describe.each(doors)('GET /api/asyncapi.json through %s', (_name, open) => {
  it('is a valid AsyncAPI 3 document without dangling references', async () => {
    const { get } = await open()
    const { status, body, headers } = await get('/api/asyncapi.json')
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    const validate = new Ajv({ strict: false, validateFormats: false, logger: false }).compile(
      JSON.parse(readFileSync(schemaPath, 'utf8')),
    )
    validate(body)
    expect(validate.errors ?? []).toEqual([])
    expect(validate({ ...body, operations: { broken: { action: 'shout' } } })).toBe(false)
    for (const reference of listReferences(body)) {
      const target = reference
        .slice(2)
        .split('/')
        .reduce<unknown>((at, key) => Object(at)[key], body)
      expect([reference, typeof target]).toEqual([reference, 'object'])
    }
  })

  it('describes upgrades, heartbeats and close codes of each socket', async () => {
    for (const [name, { description, bindings }] of Object.entries(socketsDescription.channels)) {
      expect([name, bindings.ws]).toMatchObject([name, { method: 'GET', bindingVersion: '0.1.0' }])
      expect(description).toMatch(/every 15 s.*Close codes: 1000 /)
    }
  })

  it('has an example for each message that fits its schema', () => {
    const validator = addFormats.default(new Ajv({ strict: false }))
    for (const [name, { payload, examples }] of Object.entries(socketsDescription.components.messages)) {
      expect([name, examples.length]).not.toEqual([name, 0])
      const fits = '$ref' in payload ? () => true : validator.compile(payload)
      for (const example of examples) expect([name, example, fits(example.payload)]).toEqual([name, example, true])
    }
    const { examples } = socketsDescription.components.messages['realtime-ServerMessage']
    expect(examples.map((example) => Object.keys(example.payload)[0])).toEqual(
      expect.arrayContaining(['welcome', 'chunk', 'moduleReply']),
    )
  })

  it('has both feeds and the socket of players, with their messages', async () => {
    const { get } = await open()
    const { body } = await get('/api/asyncapi.json')
    expect(body.channels.worldFeed.address).toBe('/api/admin/ws/worlds/{world}')
    expect(Object.keys(body.channels.worldFeed.messages)).toEqual(
      expect.arrayContaining(['players', 'tiles', 'zones', 'chat', 'joined', 'left', 'view', 'resume', 'renew', 'heartbeat']),
    )
    expect(body.channels.zoneFeed.address).toBe('/api/admin/ws/instances/{id}')
    expect(Object.keys(body.channels.zoneFeed.messages)).toEqual(expect.arrayContaining(['zone', 'blocks', 'edit', 'result']))
    expect(body.channels.realtime.address).toBe('/realtime')
    const { text } = await get('/api/docs')
    expect(text).toContain('href="asyncapi.json"')
  })
})
