import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { moduleRecords } from '../../../shared/domain/modules/data/module-data.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { openModuleFolder } from '../../support/modules/module-folder.ts'
import { moduleText } from '../../support/modules/node-with-modules.ts'
import { openNodesOfWorld } from '../../support/realtime/nodes-of-world.ts'

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
  /** While set, reads of records wait for it, or reject with it. */
  let gate: Promise<void> | undefined
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
      if (collection.name === moduleRecords.name) await gate
      return store.get(collection, ...rest)
    }
    const node = await stage.start({ moduleSources: folder.sources }, { ...stage.services, store: { ...store, get } })
    client = (await stage.enter(node, 'ann')).client
    expect(await run('/write')).toMatchObject({ ok: true, text: 'written' })
  }, slow)
  afterAll(async () => {
    await stage?.close()
    await folder?.remove()
  })

  it(
    'that is slow delays only the handlers that wait for it',
    async () => {
      let open = (): void => undefined
      gate = new Promise((resolve) => {
        open = resolve
      })
      client.command('/read', 100)
      // The answers of later commands come first, because ticks go on.
      for (const count of ['1', '2', '3']) expect(await run('/count')).toMatchObject({ ok: true, text: count })
      gate = undefined
      open()
      expect(await client.next('commandResult')).toMatchObject({ seq: 100, ok: true, text: 'kept' })
    },
    slow,
  )

  it(
    'that is away fails these handlers, and keeps acknowledged values',
    async () => {
      gate = Promise.reject(new AppError('unavailable', 'service-unavailable', 'The store is away.'))
      gate.catch(() => undefined)
      expect(await run('/read')).toMatchObject({ ok: false, data: { slug: 'module-failed' } })
      expect(await run('/ask')).toMatchObject({ ok: false, text: 'The notes are away.' })
      expect(await run('/count')).toMatchObject({ ok: true, text: '4' })
      gate = undefined
      expect(await run('/read')).toMatchObject({ ok: true, text: 'kept' })
    },
    slow,
  )
})
