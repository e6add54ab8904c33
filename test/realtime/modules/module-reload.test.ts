import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type NodeWithModules, startNodeWithModules } from '../../support/modules/node-with-modules.ts'
import { waitFor } from '../../support/time/wait-for.ts'

let node: NodeWithModules

const say = (text: string) =>
  `commands: { shout: { description: 'Says it.', forms: [[]], permission: 'none', run: () => '${text}' } }`

beforeAll(async () => {
  node = await startNodeWithModules(
    {
      shop: say('one'),
      bank: `declare: { records: { sales: { schema: { type: 'object' }, version: 2 } } }`,
      set: `declare: { settings: { type: 'object', properties: { word: { type: 'string', default: 'hi' } }, additionalProperties: false } },
        on: { settingsChanged: ({ before }, game) => { for (const p of game.players.all()) p.tell(before.word + ' to ' + game.settings.word) } }`,
    },
    { modules: { modules: { bank: { settings: undefined } } } },
  )
})
afterAll(() => node.close())

describe('a reload', () => {
  it('replaces the version between two ticks, and players stay', async () => {
    const { client } = await node.join('Ann')
    client.command('/shout')
    expect(await client.next('commandResult')).toMatchObject({ text: 'one' })
    await node.write('shop', say('two'))
    expect(await node.moduleHost.reload('shop')).toEqual(['shop'])
    client.command('/shout', 2)
    expect(await client.next('commandResult')).toMatchObject({ text: 'two' })
    expect(client.isOpen()).toBe(true)
  })

  it('sends PermissionsChanged with new commands', async () => {
    const { client } = await node.join('Bea')
    await node.write('fresh', `commands: { fresh: { description: 'New.', forms: [[]], permission: 'none', run: () => '' } }`)
    await node.moduleHost.reload('fresh')
    const { commands } = await client.next('permissionsChanged')
    expect(commands).toContainEqual({ name: 'fresh', usage: '/fresh', description: 'New.' })
  })

  it('keeps the running version when the new one does not load, and names file, line and column', async () => {
    await node.folder.write('shop.ts', 'export default {\n  name: shop(\n')
    await expect(node.moduleHost.reload('shop')).rejects.toMatchObject({
      slug: 'module-not-loaded',
      errors: [{ file: 'shop.ts', line: 3, column: 1, message: expect.any(String) }],
    })
    const { client } = await node.join('Cid')
    client.command('/shout')
    expect(await client.next('commandResult')).toMatchObject({ ok: true })
    expect(node.moduleHost.list()).toContainEqual(
      expect.objectContaining({ name: 'shop', state: 'running', fault: expect.objectContaining({ file: 'shop.ts', line: 3 }) }),
    )
  })

  it.each([
    ['a definition without api', 'export default { name: "odd" }', /odd\.ts: api is required/],
    ['an unknown handler', 'export default { name: "odd", api: 1, on: { join: () => {} } }', /odd\.ts: on\.join is not known/],
    [
      'a message without a handler',
      'export default { name: "odd", api: 1, declare: { messages: { buy: { params: {} } } } }',
      /buy/,
    ],
    ['another name', 'export default { name: "other", api: 1 }', /odd\.ts: name is 'other'; it must be 'odd', as the file is\./],
    [
      'a wrong schedule',
      'export default { name: "odd", api: 1, schedules: { x: { cron: "99 * * * *", run() {} } } }',
      /cron expression of five fields: .*minute: 99/,
    ],
    ['an endless top level', 'for (;;) {}', /ended after/],
    ['a throwing top level', 'const x = 1\nthrow new Error("top " + x)', /odd\.ts:2:7: top 1/],
    ['an import that does not exist', 'import "no-such-package"', /odd\.ts:1:8/],
  ])('refuses %s', async (_what, text, message) => {
    await node.folder.write('odd.ts', text)
    await expect(node.moduleHost.reload('odd')).rejects.toThrow(message)
    expect(node.moduleHost.list()).toContainEqual(expect.objectContaining({ name: 'odd', state: 'failed' }))
  })

  it('lists all faults of a module that does not load', async () => {
    await node.folder.write('odd.ts', 'export default { name: "odd", api: 1, on: { join: () => {}, joined: async () => {} } }')
    await expect(node.moduleHost.reload('odd')).rejects.toThrow('odd.ts: on.joined must not be async')
    expect(node.moduleHost.list().find(({ name }) => name === 'odd')?.fault?.message).toMatch(
      /^on\.join is not known\. .*; on\.joined must not be async/,
    )
  })

  it('refuses to lose stored data without yes', async () => {
    await node.write('bank', '')
    await expect(node.moduleHost.reload('bank')).rejects.toMatchObject({
      slug: 'would-lose',
      members: { lost: [expect.stringContaining('records.sales')] },
    })
    expect(await node.moduleHost.reload('bank', { yes: true })).toEqual(['bank'])
  })

  it.each([
    ['another type', 'Type.Object({ visits: Type.String({ default: "none" }) })', /visits has another type/],
    ['narrower limits', 'Type.Object({ visits: Type.Integer({ default: 0, maximum: 3 }) })', /visits has narrower limits/],
    ['another key', 'Type.Object({ joins: Type.Integer({ default: 0 }) })', /visits is gone/],
  ])('refuses %s of stored data without yes or a new version', async (_what, schema, message) => {
    const declare = (text: string, more = '') => `declare: { player: { schema: ${text}${more} } }, on: {}`
    await node.write('diary', declare('Type.Object({ visits: Type.Integer({ default: 0 }) })'))
    await node.moduleHost.reload('diary', { yes: true })
    await node.write('diary', declare(schema))
    const refused = node.moduleHost.reload('diary')
    await expect(refused).rejects.toMatchObject({ slug: 'would-lose', members: { lost: [expect.stringMatching(message)] } })
    await expect(refused).rejects.toMatchObject({ publicDetail: expect.stringContaining('Raise `version` to 2') })
    await node.write('diary', declare(schema, ', version: 2, migrate: [(old) => old]'))
    expect(await node.moduleHost.reload('diary')).toEqual(['diary'])
  })

  it.each([
    [
      'a key that is required now',
      'Type.Object({ item: Type.Optional(Type.String()) })',
      'Type.Object({ item: Type.String() })',
      /item is required now/,
    ],
    [
      'other values in a map',
      'Type.Record(Type.String(), Type.Integer())',
      'Type.Record(Type.String(), Type.String())',
      /another type/,
    ],
  ])('refuses %s of records without yes', async (_what, before, after, message) => {
    const declare = (schema: string) => `declare: { records: { notes: { schema: ${schema} } } }`
    await node.write('diary', declare(before))
    await node.moduleHost.reload('diary', { yes: true })
    await node.write('diary', declare(after))
    await expect(node.moduleHost.reload('diary')).rejects.toMatchObject({
      members: { lost: [expect.stringMatching(message)] },
    })
  })

  it('adds a key with a default, and wider limits, without asking', async () => {
    const declare = (text: string) => `declare: { player: { schema: Type.Object({ ${text} }) } }`
    await node.write('ledger', declare('visits: Type.Integer({ default: 0, maximum: 3 })'))
    await node.moduleHost.reload('ledger')
    await node.write('ledger', declare('visits: Type.Integer({ default: 1, maximum: 9 }), name: Type.String({ default: "" })'))
    expect(await node.moduleHost.reload('ledger')).toEqual(['ledger'])
    for (const name of ['diary.ts', 'ledger.ts']) await rm(join(node.folder.path, name), { force: true })
  })

  it('reports the result of each module, and replaces only changed modules with onlyChanged', async () => {
    const { client } = await node.join('Fay')
    await node.write('shop', say('three'))
    await node.folder.write('broken.ts', 'const = 1')
    await node.folder.write('bank.ts', 'const = 2')
    const before = Object.fromEntries(node.moduleHost.list().map(({ name, state }) => [name, state]))
    expect(before).toMatchObject({ shop: 'running', bank: 'running', set: 'running' })
    const detail = [
      /^Reloaded: shop\.$/m,
      /^Not loaded: bank\. The version before still runs\.\n {2}bank\.ts:1:7: /m,
      /^Not loaded: broken\. It does not run\.\n {2}broken\.ts:1:7: /m,
    ]
    const outcome = node.moduleHost.reload(undefined, { yes: true, onlyChanged: true })
    const error = await outcome.then(String, ({ message }: Error) => message)
    for (const line of detail) expect(error).toMatch(line)
    client.command('/shout')
    expect(await client.next('commandResult')).toMatchObject({ text: 'three' })
    for (const name of ['broken.ts', 'odd.ts']) await rm(join(node.folder.path, name), { force: true })
    await node.write('bank', '')
    expect(await node.moduleHost.reload(undefined, { yes: true, onlyChanged: true })).toEqual([])
    expect(await node.moduleHost.reload(undefined)).toEqual(['bank', 'fresh', 'set', 'shop'])
  })

  it('answers not-found for an unknown module', async () => {
    await expect(node.moduleHost.reload('nothing')).rejects.toMatchObject({ slug: 'not-found' })
  })

  it('runs settingsChanged when modules.yaml changes, and ends a module that is disabled', async () => {
    const { client } = await node.join('Dan')
    node.configs.set({ modules: { modules: { set: { settings: { word: 'yo' } }, fresh: { enabled: false } } } })
    expect(await client.next('notice')).toMatchObject({ text: 'hi to yo' })
    await waitFor(() => node.moduleHost.list().some(({ name, state }) => name === 'fresh' && state === 'disabled'))
  })

  it('keeps the previous settings and shows the fault while new ones are not valid', async () => {
    const statusOf = () => node.moduleHost.list().find(({ name }) => name === 'set')
    node.configs.set({ modules: { modules: { set: { settings: { wrong: 1 } } } } })
    await waitFor(() => statusOf()?.fault !== undefined)
    expect(statusOf()).toMatchObject({ state: 'running', fault: { message: '/modules/set/settings/wrong is not a known key' } })
    node.configs.set({ modules: { modules: { set: { settings: { word: 'ho' } } } } })
    await waitFor(() => statusOf()?.fault === undefined)
  })

  it.each([
    ['settings: Type.Object({ gift: Type.Integer({ default: 1 }), price: Type.Integer({ minimum: 1, default: 1 }) })'],
    ['settings: Type.Object({ gift: Type.Integer(), price: Type.Integer({ minimum: 1 }) }, { additionalProperties: false })'],
  ])('lists all bad settings of a module, also unknown keys, at a save and at a reload: %s', async (declare) => {
    const settings = { gift: 'lots', giftt: 3, price: 0, zzzzzz: 1 }
    const faults = [
      { pointer: '/modules/coins/settings/gift', message: 'must be a whole number' },
      { pointer: '/modules/coins/settings/price', message: 'must be at least 1' },
      { pointer: '/modules/coins/settings/giftt', message: 'is not a known key. Did you mean "gift"?' },
      { pointer: '/modules/coins/settings/zzzzzz', message: 'is not a known key' },
    ]
    await node.write('coins', `declare: { ${declare} }`)
    node.configs.set({ modules: { modules: { coins: { settings } } } })
    await expect(node.moduleHost.reload('coins')).rejects.toMatchObject({ slug: 'module-not-loaded', errors: faults })
    const message = faults.map((fault) => `${fault.pointer} ${fault.message}`).join('; ')
    expect(node.moduleHost.list()).toContainEqual(
      expect.objectContaining({ name: 'coins', fault: expect.objectContaining({ message }) }),
    )
    expect(await node.moduleHost.checkSettings({ coins: settings })).toMatchObject({
      coins: { isRunning: false, hasFile: true, faults },
    })
    // First: an entry without these settings may load it.
    await rm(join(node.folder.path, 'coins.ts'))
    node.configs.set({ modules: {} })
  })

  it('refuses /module without its permission', async () => {
    const { client } = await node.join('Eve')
    client.command('/module reload')
    expect(await client.next('commandResult')).toMatchObject({ ok: false, data: { code: 'missing-permission' } })
  })
})
