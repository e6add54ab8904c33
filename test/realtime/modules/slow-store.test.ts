import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { modulePlayers, moduleRecords, playerDataId } from '../../../shared/domain/modules/data/module-data.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { openModuleFolder } from '../../support/modules/module-folder.ts'
import { moduleText } from '../../support/modules/node-with-modules.ts'
import { openNodesOfWorld } from '../../support/realtime/nodes-of-world.ts'
import { waitFor } from '../../support/time/wait-for.ts'

const slow = 180_000
const command = (run: string) => `{ description: 'Test.', forms: [[]], permission: 'none', run: ${run} }`
const read = `() => game.records.notes.get('1'), (found) => found?.value.text ?? 'nothing'`
const notes = `declare: { player: { schema: Type.Object({ count: Type.Integer({ default: 0 }) }) }, records: { notes: { schema: Type.Object({ text: Type.String() }) } } },
  commands: {
    write: ${command(`(caller, args, game) => game.later(() => game.records.notes.put('1', { text: 'kept' }), () => 'written')`)},
    read: ${command(`(caller, args, game) => game.later(${read})`)},
    ask: ${command(`(caller, args, game) => game.later(${read}, () => ({ refuse: 'The notes are away.' }))`)},
    count: ${command(`(caller) => { caller.data.count += 1; return String(caller.data.count) }`)},
  }`

describe('a record store', () => {
  let stage: Awaited<ReturnType<typeof openNodesOfWorld>>
  let folder: Awaited<ReturnType<typeof openModuleFolder>>
  let client: Awaited<ReturnType<typeof stage.enter>>['client']
  let node: Awaited<ReturnType<typeof stage.start>>
  /** While set, reads of records and of players' data in “notes” wait for it, or reject with it. Those of ann do not. */
  let gate: Promise<void> | undefined
  const held: string[] = []
  let seq = 0
  const run = async (text: string): Promise<unknown> => {
    seq += 1
    client.command(text, seq)
    return client.next('commandResult')
  }

  beforeAll(async () => {
    stage = await openNodesOfWorld()
    folder = await openModuleFolder({ 'notes.ts': moduleText('notes', notes) })
    const { store } = stage.services
    const get: typeof store.get = async (collection, ...rest) => {
      const [id] = rest
      const isHeld = collection.name === moduleRecords.name || (collection.name === modulePlayers.name && id.startsWith('notes/'))
      if (isHeld && gate !== undefined) {
        held.push(id)
        await gate
      }
      return store.get(collection, ...rest)
    }
    node = await stage.start({ moduleSources: folder.sources }, { ...stage.services, store: { ...store, get } })
    client = (await stage.enter(node, 'ann')).client
    expect(await run('/write')).toMatchObject({ ok: true, text: 'written' })
  }, slow)

  /** Closes the gate. Returns a function that opens it. */
  const closeGate = (): (() => void) => {
    let open = (): void => undefined
    gate = new Promise((resolve) => {
      open = resolve
    })
    return () => {
      gate = undefined
      open()
    }
  }
  const failGate = (): void => {
    gate = Promise.reject(new AppError('unavailable', 'service-unavailable', 'The store is away.'))
    gate.catch(() => undefined)
  }

  /** A player with stored data of modules, who joins for the first time. */
  const createPlayer = async (name: string, counts: Readonly<Record<string, number>>) => {
    const { accounts, tokens, clock, store } = stage.services
    const { playerId } = await accounts.signUp(`${name}@example.com`, name)
    for (const [module, count] of Object.entries(counts))
      await store.put(modulePlayers, playerDataId(module, playerId), { version: 1, value: { count } })
    const token = await tokens.issue({ playerId, verified: false, signInId: name, signedInAt: clock.now() })
    return {
      join: async () => {
        const joined = await stage.open(node)
        joined.connect(token)
        return joined
      },
      isHeld: () => waitFor(() => held.includes(playerDataId('notes', playerId))),
    }
  }
  const countOf = async (player: typeof client, name: string): Promise<unknown> => {
    player.command(name, 1)
    return (await player.next('commandResult')).text
  }

  afterAll(async () => {
    await stage?.close()
    await folder?.remove()
  })

  it(
    'that is slow delays only the handlers that wait for it',
    async () => {
      const open = closeGate()
      client.command('/read', 100)
      // The answers of later commands come first, because ticks go on.
      for (const count of ['1', '2', '3']) expect(await run('/count')).toMatchObject({ ok: true, text: count })
      open()
      expect(await client.next('commandResult')).toMatchObject({ seq: 100, ok: true, text: 'kept' })
    },
    slow,
  )

  it(
    'that is away fails these handlers, and keeps acknowledged values',
    async () => {
      failGate()
      expect(await run('/read')).toMatchObject({ ok: false, data: { slug: 'module-failed' } })
      expect(await run('/ask')).toMatchObject({ ok: false, text: 'The notes are away.' })
      expect(await run('/count')).toMatchObject({ ok: true, text: '4' })
      gate = undefined
      expect(await run('/read')).toMatchObject({ ok: true, text: 'kept' })
    },
    slow,
  )

  it(
    'that is slow delays a join until the stored data is there',
    async () => {
      const bob = await createPlayer('bob', { notes: 41 })
      const open = closeGate()
      const joining = await bob.join()
      await bob.isHeld()
      expect(await run('/count')).toMatchObject({ ok: true, text: '5' })
      expect(joining.count('welcome')).toBe(0)
      open()
      await joining.next('welcome')
      expect(await countOf(joining, '/count')).toBe('42')
    },
    slow,
  )

  it(
    'that is away refuses a join with its reason, and keeps the stored data',
    async () => {
      const cleo = await createPlayer('cleo', { notes: 7 })
      failGate()
      const refused = await cleo.join()
      expect(await refused.next('kick')).toMatchObject({ reason: expect.stringContaining('saved data cannot be read') })
      expect(await refused.closed()).toEqual({ code: 1013, reason: 'service-unavailable' })
      gate = undefined
      const joined = await cleo.join()
      await joined.next('welcome')
      expect(await countOf(joined, '/count')).toBe('8')
    },
    slow,
  )

  it(
    'that is slow gives a module that starts during a join the stored data too',
    async () => {
      const [dan, eve] = [await createPlayer('dan', { purse: 20 }), await createPlayer('eve', { notes: 30, purse: 40 })]
      const [late, early] = [closeGate(), await dan.join()]
      await dan.isHeld()
      const slowest = await eve.join()
      await eve.isHeld()
      const coins = `declare: { player: { schema: Type.Object({ count: Type.Integer({ default: 0 }) }) } },
        commands: { coins: ${command(`(caller) => String(caller.data.count)`)} }`
      await folder.write('purse.ts', moduleText('purse', coins))
      await node.modules()?.reload('purse')
      late()
      for (const player of [early, slowest]) await player.next('welcome')
      expect([await countOf(early, '/coins'), await countOf(slowest, '/coins')]).toEqual(['20', '40'])
      expect(await countOf(slowest, '/count')).toBe('31')
    },
    slow,
  )
})
