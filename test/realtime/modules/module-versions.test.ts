import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { moduleSetAside } from '../../../shared/domain/modules/data/module-data.ts'
import { openModuleFolder } from '../../support/modules/module-folder.ts'
import { moduleText } from '../../support/modules/node-with-modules.ts'
import { openNodesOfWorld } from '../../support/realtime/nodes-of-world.ts'
import { waitFor } from '../../support/time/wait-for.ts'

const slow = 180_000
const count = 20

const command = (run: string) => `{ description: 'Test.', forms: [[]], permission: 'none', run: ${run} }`
const commands = `earn: ${command(`(caller) => { caller.data.coins += 1; return JSON.stringify(caller.data) }`)}`

/** The second version of `shop` adds a key. That of `bank` renames one. */
const older = {
  shop: `declare: { player: { schema: Type.Object({ coins: Type.Integer({ default: 5 }) }) } }, commands: { ${commands} }`,
  bank: `declare: { player: { schema: Type.Object({ saved: Type.Integer({ default: 7 }) }, { additionalProperties: false }) } },
    commands: { keep: ${command(`(caller) => { caller.data.saved += 1; return JSON.stringify(caller.data) }`)} }`,
}
const newer = {
  shop: `declare: { player: {
      schema: Type.Object({ coins: Type.Integer({ default: 5 }), gems: Type.Integer({ default: 0 }) }),
      version: 2, migrate: [({ coins }) => ({ coins, gems: 3 })],
    } }, commands: { ${commands} }`,
  bank: `declare: { player: {
      schema: Type.Object({ gold: Type.Integer({ default: 0 }) }, { additionalProperties: false }),
      version: 2, migrate: [({ saved }) => ({ gold: saved })],
    } }, commands: { keep: ${command(`(caller) => { caller.data.gold += 1; return JSON.stringify(caller.data) }`)} }`,
}

const openFolder = ({ shop, bank }: typeof older) =>
  openModuleFolder({ 'shop.ts': moduleText('shop', shop), 'bank.ts': moduleText('bank', bank) })

describe('a hand-over between nodes with different versions of a module', () => {
  let stage: Awaited<ReturnType<typeof openNodesOfWorld>>
  let folders: readonly Awaited<ReturnType<typeof openModuleFolder>>[]
  beforeAll(async () => {
    stage = await openNodesOfWorld()
    folders = await Promise.all([openFolder(older), openFolder(newer)])
  }, slow)
  afterAll(async () => {
    await stage?.close()
    for (const folder of folders ?? []) await folder.remove()
  })

  it(
    'keeps players and values to a newer version, back, and forward again',
    async () => {
      const [olderSources, newerSources] = folders.map(({ sources }) => sources)
      if (olderSources === undefined || newerSources === undefined) throw new Error('the folders are missing')
      let node = await stage.start({ moduleSources: olderSources })
      let players = await Promise.all(Array.from({ length: count }, (_, at) => stage.enter(node, `p${at}`)))

      const run = async (text: string): Promise<readonly unknown[]> => {
        for (const { client } of players) client.command(text, 1)
        const answers = await Promise.all(players.map(({ client }) => client.next('commandResult')))
        return [...new Set(answers.map(({ text: answer }) => String(answer)))].map((answer) => JSON.parse(answer))
      }
      const moveTo = async (moduleSources: typeof olderSources): Promise<void> => {
        const next = await stage.start({ moduleSources, standby: true })
        await waitFor(async () => (await stage.statesOf()).length === 2, slow)
        await node.close()
        node = next
        players = await Promise.all(
          players.map(async ({ welcome, playerId }) => {
            const client = await stage.resume(node, welcome)
            const again = await client.next('welcome')
            expect(again.playerId).toBe(playerId)
            return { client, playerId, welcome: again }
          }),
        )
      }

      expect(await run('/earn')).toEqual([{ coins: 6 }])
      expect(await run('/keep')).toEqual([{ saved: 8 }])
      await moveTo(newerSources)
      expect(await run('/earn')).toEqual([{ coins: 7, gems: 3 }])
      expect(await run('/keep')).toEqual([{ gold: 9 }])

      await moveTo(olderSources)
      // The older version does not know `gems`, and keeps them.
      expect(await run('/earn')).toEqual([{ coins: 8, gems: 3 }])
      // It cannot read `gold`. It begins with its defaults, and the value is set aside.
      expect(await run('/keep')).toEqual([{ saved: 8 }])
      const { records } = await stage.services.store.list(moduleSetAside, { limit: 1000 })
      expect(records.filter(({ value }) => JSON.stringify(value).includes('"gold":9'))).toHaveLength(count)

      await moveTo(newerSources)
      expect(await run('/earn')).toEqual([{ coins: 9, gems: 3 }])
      expect(await run('/keep')).toEqual([{ gold: 9 }])
    },
    slow,
  )
})
