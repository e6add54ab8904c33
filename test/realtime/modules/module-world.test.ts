import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type NodeWithModules, startNodeWithModules } from '../../support/modules/node-with-modules.ts'

let node: NodeWithModules

const command = (run: string, form = '') => `{ description: 'Test.', forms: [[${form}]], permission: 'none', run: ${run} }`
const at = `{ x: 3, y: 70, z: 3 }`

const modules = {
  builder: `commands: {
    build: ${command(
      `(caller, { type }, game) => {
        game.world.edit([{ ...${at}, type }], { settled: (reason) => caller.tell('settled ' + reason) })
        return 'asked, still ' + game.world.blockAt(${at})
      }`,
      `{ name: 'type', kind: 'word' }`,
    )},
    buildas: ${command(
      `(caller, args, game) => {
        game.world.edit([{ ...${at}, type: 'stone' }], { by: caller, settled: (reason) => caller.tell('settled ' + reason) })
        return 'asked'
      }`,
    )},
    look: ${command(`(caller, args, game) => {
      const below = game.world.castRay(caller.place, { x: 0, y: -1, z: 0 }, 10)
      return JSON.stringify([game.world.name, game.world.topAt(0, 0), below, game.world.castRay(caller.place, { x: 0, y: 1, z: 0 }, 10) ?? null])
    }`)},
    spawnplace: ${command(`(caller, args, game) => JSON.stringify(game.world.spawn)`)},
    time: ${command(`(caller, args, game) => {
      const [before, at, after] = [game.time.nowMs(), game.time.today().getTime(), game.time.nowMs()]
      return JSON.stringify([before <= at && at <= after, game.random.int(1), game.random.dice('1d2') < 3])
    }`)},
  },
  on: { edited: ({ by }, game) => { for (const p of game.players.all()) p.tell('builder hears ' + (by?.name ?? 'the server')) } }`,
  listener: `on: { edited: ({ by, changes }, game) => {
    const [{ from, to }] = changes
    for (const p of game.players.all()) p.tell(\`\${by?.name ?? 'the server'}: \${from} to \${to}\`)
  } }`,
  timers: `commands: {
    after: ${command(`(caller, args, game) => { game.after(10, () => caller.tell('after')); return 'ok' }`)},
    every: ${command(`(caller, args, game) => {
      let count = 0
      const end = game.every(1, () => { count += 1; caller.tell('every ' + count); if (count === 2) { end(); caller.tell('ended') } })
      return 'ok'
    }`)},
    job: ${command(`(caller, args, game) => {
      game.job('count', function* () { for (let i = 0; i < 3; i += 1) { caller.tell('step ' + i); yield } caller.tell('job done') })
      return 'ok'
    }`)},
    many: ${command(`(caller, args, game) => { for (let i = 0; i < 9; i += 1) game.after(1e6, () => {}); return 'ok' }`)},
  }`,
}

beforeAll(async () => {
  node = await startNodeWithModules(modules, { modules: { budget: { timersMax: 5 } } })
})
afterAll(() => node.close())

type Client = Awaited<ReturnType<NodeWithModules['join']>>['client']

const run = async (client: Client, text: string) => {
  client.command(text)
  return client.next('commandResult')
}

/** Repeats a command until its column is loaded. */
const settle = async (client: Client, text: string): Promise<unknown> => {
  for (;;) {
    await run(client, text)
    let notice = await client.next('notice')
    while (!String(notice.text).startsWith('settled')) notice = await client.next('notice')
    if (notice.text !== 'settled not-loaded') return notice.text
  }
}

describe('the world of a module', () => {
  it('edits blocks after the handler, and the history names the module', async () => {
    const { client } = await node.join('Ann')
    expect(await settle(client, '/build stone')).toBe('settled undefined')
    expect(client.received.filter(({ value }) => String(value.text).startsWith('asked')).at(-1)?.value.text).toBe(
      'asked, still air',
    )
    expect(node.made).toMatchObject([{ via: 'module', module: 'builder', by: '', from: 'air', to: 'stone', x: 3, y: 70, z: 3 }])
  })

  it('tells other modules about it, and not the module itself', async () => {
    const { client } = await node.join('Bob')
    await settle(client, '/build grass')
    const texts = () => client.received.map(({ value }) => value.text)
    while (!texts().includes('the server: stone to grass')) await client.next('notice')
    expect(texts()).not.toContain('builder hears the server')
  })

  it('refuses an unknown block, and an edit by a player without the right', async () => {
    const { client } = await node.join('Cid')
    expect(await settle(client, '/build nonsense')).toBe('settled unknown-block')
    const guest = await node.join('Dan', { groups: ['nobody'], verified: true })
    expect(await settle(guest.client, '/buildas')).toBe('settled forbidden')
    expect(await settle(client, '/buildas')).toBe('settled undefined')
    expect(node.made.at(-1)).toMatchObject({
      via: 'module',
      module: 'builder',
      by: expect.stringMatching(/^.{36}$/),
      to: 'stone',
    })
  })

  it('reads blocks, the surface and rays', async () => {
    const { client } = await node.join('Eve')
    await settle(client, '/build air')
    const { text } = await run(client, '/look')
    const [name, top, below, above] = JSON.parse(String(text))
    expect(name).toBe(node.world.record.name)
    expect(top).toBe(63)
    expect(below).toMatchObject({ block: { y: 63 } })
    expect(above).toBeNull()
  })

  it('has the spawn of the world, also after it has moved', async () => {
    const { client } = await node.join('Sol')
    const before = JSON.parse(String((await run(client, '/spawnplace')).text))
    expect(before).toEqual(node.world.spawn.middle())
    node.world.spawn.move({ x: 4, y: 66, z: -3 })
    try {
      expect(JSON.parse(String((await run(client, '/spawnplace')).text))).toMatchObject({ x: 4.5, z: -2.5 })
    } finally {
      node.world.spawn.move(undefined)
    }
  })

  it('gives the time of the clock, and random numbers', async () => {
    const { client } = await node.join('Fay')
    expect(await run(client, '/time')).toMatchObject({ text: '[true,0,true]' })
  })
})

describe('timers and jobs of a module', () => {
  it('run once, repeatedly, and in steps', async () => {
    const { client } = await node.join('Gil')
    for (const [text, last] of [
      ['/after', 'after'],
      ['/every', 'ended'],
      ['/job', 'job done'],
    ] as const) {
      await run(client, text)
      let notice = await client.next('notice')
      while (notice.text !== last) notice = await client.next('notice')
    }
    const texts = client.received.filter(({ case: name }) => name === 'notice').map(({ value }) => value.text)
    expect(texts).toEqual(['after', 'every 1', 'every 2', 'ended', 'step 0', 'step 1', 'step 2', 'job done'])
  })

  it('refuse more timers than the budget allows', async () => {
    const { client } = await node.join('Hal')
    expect(await run(client, '/many')).toMatchObject({ ok: false, data: { slug: 'module-failed' } })
  })
})
