import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createRealtimeMetrics, type RealtimeMetrics } from '../../../realtime/metrics/realtime-metrics.ts'
import { type NodeWithModules, startNodeWithModules } from '../../support/modules/node-with-modules.ts'
import type { RealtimeClient } from '../../support/realtime/realtime-client.ts'

let node: NodeWithModules
const counts = { writes: 0, bytes: 0 }
const metrics: RealtimeMetrics = {
  ...createRealtimeMetrics(),
  modules: {
    ...createRealtimeMetrics().modules,
    countRecordWrites: (_module, writes) => {
      counts.writes += writes
    },
    countBytes: (_module, bytes) => {
      counts.bytes += bytes
    },
  },
}

const shop = `
  declare: {
    permissions: { 'module.shop.staff': 'Serve.' },
    player: { schema: Type.Object({ coins: Type.Integer({ default: 10, minimum: 0 }) }) },
    state: Type.Object({ sold: Type.Integer({ default: 0 }) }),
    records: { sales: { schema: Type.Object({ item: Type.String(), by: Type.String() }) } },
    messages: {
      buy: { params: Type.Object({ item: Type.String(), count: Type.Integer({ minimum: 1, default: 1 }) }), reply: Type.Object({ coins: Type.Integer() }) },
      wave: { params: Type.Object({}) },
      sales: { params: Type.Object({}), reply: Type.Array(Type.String()) },
      odd: { params: Type.Object({}), reply: Type.Integer() },
      fail: { params: Type.Object({}) },
      staff: { params: Type.Object({}), permission: 'module.shop.staff' },
      dear: { params: Type.Object({}), cost: 40 },
      race: { params: Type.Object({ ifVersion: Type.Union([Type.String(), Type.Null()]) }), reply: Type.String() },
      state: { params: Type.Object({}), reply: Type.Integer() },
      shout: { params: Type.Object({ text: Type.String() }) },
    },
    pushes: { coins: Type.Object({ coins: Type.Integer() }) },
  },
  receive: {
    buy: (player, { item, count }, game) => {
      if (player.data.coins < count) return { refuse: 'Not enough coins.' }
      player.data.coins -= count
      game.state.sold += count
      return game.later(
        () => game.records.sales.put(player.name + '/' + item, { item, by: player.id }),
        () => {
          player.push('coins', { coins: player.data.coins })
          return { coins: player.data.coins }
        },
      )
    },
    wave: (player) => player.tell('You wave.'),
    sales: (player, params, game) => game.later(
      () => game.records.sales.list({ prefix: player.name + '/' }),
      ({ records }) => records.map(({ value }) => value.item),
    ),
    odd: () => 'not a number',
    fail: (player) => {
      player.data.coins = 0
      player.tell('never seen')
      throw new Error('secret of the module')
    },
    staff: () => undefined,
    dear: () => undefined,
    race: (player, { ifVersion }, game) => game.later(
      () => game.commit([{ record: 'sales', id: 'race', value: { item: 'x', by: 'y' }, ifVersion }]),
      () => 'done',
      (error) => ({ refuse: error.slug }),
    ),
    state: (player, params, game) => game.state.sold,
    shout: (player, { text }, game) => game.emit('shout', { text }),
  },`

const echo = `on: { event: ({ module, name, body }, game) => { for (const player of game.players.all()) player.tell(module + ' ' + name + ' ' + body.text) } },`

/** The test client shows bytes as base64. */
const readBody = ({ body }: Record<string, unknown>): unknown => {
  const text = Buffer.from(String(body ?? ''), 'base64').toString()
  return text === '' ? undefined : JSON.parse(text)
}

let seq = 0
const call = async (client: RealtimeClient, name: string, params: unknown = {}, module = 'shop') => {
  seq += 1
  const body = typeof params === 'string' ? Buffer.from(params) : Buffer.from(JSON.stringify(params))
  client.send({ $case: 'moduleCall', value: { seq, module, name, body } })
  const reply = await client.next('moduleReply')
  expect(reply.seq).toBe(seq)
  return { code: reply.code, reason: reply.reason, pointer: reply.pointer, ok: reply.ok, body: readBody(reply) }
}

beforeAll(async () => {
  node = await startNodeWithModules({ shop, echo }, { metrics })
})
afterAll(() => node.close())

describe('messages to modules', () => {
  it('are answered with the declared reply, also from game.later', async () => {
    const { client } = await node.join('Ann')
    expect(await call(client, 'buy', { item: 'apple', count: 3 })).toMatchObject({ ok: true, body: { coins: 7 } })
    expect(await call(client, 'buy', { item: 'pear' })).toMatchObject({ ok: true, body: { coins: 6 } })
    expect(await call(client, 'sales')).toMatchObject({ ok: true, body: ['apple', 'pear'] })
    expect(await call(client, 'state')).toMatchObject({ ok: true, body: 4 })
  })

  it('send pushes with their body', async () => {
    const { client } = await node.join('Bob')
    const body = Buffer.from(JSON.stringify({ item: 'apple', count: 2 }))
    client.send({ $case: 'moduleCall', value: { seq: 900, module: 'shop', name: 'buy', body } })
    const push = await client.next('modulePush')
    expect(push).toMatchObject({ module: 'shop', name: 'coins' })
    expect(readBody(push)).toEqual({ coins: 8 })
  })

  it('are answered without a body if they declare no reply, and in text frames', async () => {
    const { client } = await node.join('Cid', { kind: 'text' })
    seq += 1
    client.send({ $case: 'moduleCall', value: { seq, module: 'shop', name: 'wave', body: Buffer.from('{}') } })
    expect(await client.next('notice')).toMatchObject({ text: 'You wave.' })
    expect(await client.next('moduleReply')).toMatchObject({ seq, ok: true })
  })

  it('are refused with the reason of the module as module-rules', async () => {
    const { client } = await node.join('Dan')
    expect(await call(client, 'buy', { item: 'castle', count: 99 })).toMatchObject({
      code: 'module-rules',
      reason: 'Not enough coins.',
    })
  })

  it('are refused as invalid-message with a pointer, and the connection stays open', async () => {
    const { client } = await node.join('Eve')
    expect(await call(client, 'buy', { item: 'apple', count: 0 })).toMatchObject({ code: 'invalid-message', pointer: '/count' })
    expect(await call(client, 'buy', { item: 7 })).toMatchObject({ code: 'invalid-message', pointer: '/item' })
    for (const body of ['{', '', '\u0000', `"${'x'.repeat(9_000)}"`])
      expect(await call(client, 'buy', body)).toMatchObject({ code: 'invalid-message' })
    expect(await call(client, 'wave')).toMatchObject({ ok: true })
  })

  it('of an unknown module or name are refused as unknown-message', async () => {
    const { client } = await node.join('Fay')
    for (const [module, name] of [
      ['bank', 'buy'],
      ['shop', 'sell'],
      ['shop', 'toString'],
      ['', ''],
    ] as const)
      expect(await call(client, name, {}, module)).toMatchObject({ code: 'unknown-message' })
  })

  it('report a failure with an id that is in the log, and leave the data as before', async () => {
    const { client } = await node.join('Gil')
    const reply = await call(client, 'fail')
    expect(reply).toMatchObject({ code: 'module-failed' })
    const [, id] = /\((\w{6,})\)/.exec(String(reply.reason)) ?? []
    expect(JSON.stringify(node.moduleHost.list())).toContain(id)
    expect(JSON.stringify(reply)).not.toContain('secret')
    expect(await call(client, 'buy', { item: 'apple' })).toMatchObject({ body: { coins: 9 } })
    expect(client.count('notice')).toBe(0)
  })

  it('are answered module-failed if the reply does not fit its schema', async () => {
    const { client } = await node.join('Hal')
    expect(await call(client, 'odd')).toMatchObject({ code: 'module-failed' })
  })

  it('need the permission of their declaration', async () => {
    const { client } = await node.join('Ida')
    expect(await call(client, 'staff')).toMatchObject({
      code: 'forbidden',
      reason: 'This needs the permission module.shop.staff.',
    })
    const admin = await node.join('Jo', { groups: ['admin'], verified: true })
    expect(await call(admin.client, 'staff')).toMatchObject({ ok: true })
  })

  it('take their declared cost from the budget of messages', async () => {
    const { client } = await node.join('Kim')
    for (let n = 0; n < 3; n += 1) await call(client, 'dear')
    for (let n = 0; n < 6; n += 1)
      client.send({ $case: 'moduleCall', value: { seq: n, module: 'shop', name: 'dear', body: Buffer.from('{}') } })
    expect(await client.closed()).toMatchObject({ code: 4029 })
  })

  it('commit records with versions, and reject with changed-since', async () => {
    const { client } = await node.join('Lee')
    expect(await call(client, 'race', { ifVersion: null })).toMatchObject({ ok: true, body: 'done' })
    expect(await call(client, 'race', { ifVersion: null })).toMatchObject({ code: 'module-rules', reason: 'changed-since' })
  })

  it('count written values and sent bytes for the metrics', async () => {
    const { client } = await node.join('Lou')
    await node.composedModules?.flush()
    const before = { ...counts }
    await call(client, 'wave')
    expect(counts).toEqual({ ...before, bytes: before.bytes + 'You wave.'.length })
    await call(client, 'buy', { item: 'apple' })
    await node.composedModules?.flush()
    // The coins of the player, and the state of the module.
    expect(counts.writes).toBe(before.writes + 3)
    await call(client, 'race', { ifVersion: null })
    expect(counts.writes).toBe(before.writes + 3)
  })

  it('emit events that all modules hear', async () => {
    const { client } = await node.join('Max')
    await call(client, 'shout', { text: 'hey' })
    expect(await client.next('notice')).toMatchObject({ text: 'shop shout hey' })
  })
})
