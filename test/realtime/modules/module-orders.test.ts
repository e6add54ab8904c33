import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createStoreAuditLog } from '../../../shared/domain/audit/store-audit-log.ts'
import { createCheckReloaded } from '../../../shared/domain/configs/current/check-reloaded.ts'
import { createConfigParser } from '../../../shared/domain/configs/reading/config-parser.ts'
import { createCheckModuleSettings } from '../../../shared/domain/modules/admin/check-settings.ts'
import { createModuleDataAdmin, type ModuleDataAdmin } from '../../../shared/domain/modules/admin/module-data-admin.ts'
import { createModuleOrders, type ModuleOrders } from '../../../shared/domain/modules/admin/module-orders.ts'
import { listModules } from '../../../shared/domain/modules/admin/module-report.ts'
import type { ModulesConfig } from '../../../shared/domain/modules/modules-config.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { operator } from '../../support/accounts/account-fixture.ts'
import { createFixedConfigs } from '../../support/configs/fixed-configs.ts'
import { type NodeWithModules, startNodeWithModules } from '../../support/modules/node-with-modules.ts'
import { waitFor } from '../../support/time/wait-for.ts'

const shop = `
  declare: {
    permissions: { 'module.shop.staff': 'Serve.' },
    settings: Type.Object({ greeting: Type.String({ default: 'Hello' }) }),
    player: { schema: Type.Object({ coins: Type.Integer({ default: 10, minimum: 0 }) }) },
    records: { sales: { schema: Type.Object({ item: Type.String() }) } },
    messages: {
      pay: { params: Type.Object({ coins: Type.Integer() }), reply: Type.Object({ coins: Type.Integer(), isHere: Type.Boolean() }), http: true },
      count: { params: Type.Object({}), reply: Type.Integer() },
      staff: { params: Type.Object({}), http: true, permission: 'module.shop.staff' },
    },
  },
  receive: {
    pay: (player, { coins }) => {
      if (player.data.coins < coins) return { refuse: 'Not enough coins.' }
      player.data.coins -= coins
      return { coins: player.data.coins, isHere: player.place !== undefined }
    },
    count: (player) => player.data.coins,
    staff: () => undefined,
  },`

let node: NodeWithModules
let orders: ModuleOrders
let admin: ModuleDataAdmin

const pay = (playerId: string, coins: unknown, name = 'pay') =>
  orders.send({ kind: 'call', module: 'shop', name, params: { coins }, playerId, verified: false }, { answerMs: 20_000 })

beforeAll(async () => {
  node = await startNodeWithModules({ shop })
  const { events, nodeReports, store } = node
  await waitFor(async () => (await nodeReports.list('players')).length > 0)
  orders = createModuleOrders({ events, nodeReports, ids: systemIds })
  const audit = createStoreAuditLog(store)
  admin = createModuleDataAdmin({ store, orders, audit, bytesMax: () => 65_536, clock: systemClock, ids: systemIds })
})
afterAll(() => node.close())

describe('orders about modules', () => {
  it('list the schemas of the settings of running modules', async () => {
    const [outcome] = await orders.send({ kind: 'read-settings' })
    expect(outcome).toMatchObject({
      outcome: 'done',
      value: { shop: { type: 'object', properties: { greeting: { type: 'string', default: 'Hello' } } } },
    })
  })

  it('are preceded by reports of the modules of the node', async () => {
    await waitFor(async () => (await listModules(node.nodeReports)).length > 0)
    expect(await listModules(node.nodeReports)).toMatchObject([
      { name: 'shop', state: 'running', messages: ['pay', 'count', 'staff'], permissions: ['module.shop.staff'] },
    ])
  })

  it('check changed settings of enabled modules against their schemas', async () => {
    const check = createCheckModuleSettings(orders)
    const configOf = (modules: object): ModulesConfig => createFixedConfigs({ modules: { modules } }).get('modules.yaml')
    const unchecked = (name: string) =>
      `The settings of "${name}" were not checked, because no running node has loaded this module.`
    const bad = configOf({ shop: { settings: { greeting: 5, greting: 1 } }, absent: {}, shoop: {}, shopp: { enabled: false } })
    expect(await check(configOf({}), bad)).toEqual({
      modules: [
        {
          name: 'shop',
          isRunning: true,
          faults: [
            { pointer: '/modules/shop/settings/greeting', message: 'must be text' },
            { pointer: '/modules/shop/settings/greting', message: 'is not a known key. Did you mean "greeting"?' },
          ],
        },
      ],
      warnings: [
        unchecked('absent'),
        `${unchecked('shoop')} Did you mean "shop"?`,
        'There is no module "shopp", which modules.yaml disables. Did you mean "shop"?',
      ],
    })
    expect(await check(undefined, bad)).toEqual(await check(configOf({}), bad))
    expect(await check(configOf({ gone: { settings: { x: 1 } } }), configOf({}))).toEqual({ modules: [], warnings: [] })
    const off = configOf({ shop: { enabled: false, settings: { greeting: 5 } } })
    for (const [before, next] of [
      [bad, bad],
      [configOf({}), off],
      [off, configOf({ shop: { settings: { greeting: 'Ahoy' } } })],
    ] as const)
      expect(await check(before, next)).toEqual({ modules: [], warnings: [] })
    expect((await check(off, bad)).modules).toHaveLength(1)
  })

  it('name bad settings after a reload with their place, and what stays active', async () => {
    const text = 'modules:\n  shop: {settings: {greeting: 5}}\n  late: {settings: {x: a}}\n  broken: {}\n  shopp: {}\n'
    const modules = { shop: { settings: { greeting: 5 } }, late: { settings: { x: 'a' } }, broken: {}, shopp: {} }
    await node.write('late', 'declare: { settings: Type.Object({ x: Type.Integer() }) }')
    await node.folder.write('broken.ts', 'const = 1')
    node.configs.set({ modules: { modules } })
    const checkReloaded = createCheckReloaded({
      configs: node.configs,
      files: { read: async () => ({ text, etag: '', source: 'data' }) },
      parser: createConfigParser(),
      checkModuleSettings: createCheckModuleSettings(orders),
    })
    const report = { reloaded: ['modules.yaml' as const], changed: [], restartNeeded: [], failed: [] }
    expect(await checkReloaded(report)).toEqual({
      ...report,
      modules: [
        {
          module: 'shop',
          keepsSettings: true,
          errors: [{ pointer: '/modules/shop/settings/greeting', message: 'must be text', line: 2, column: 21 }],
        },
        {
          module: 'late',
          keepsSettings: false,
          errors: [{ pointer: '/modules/late/settings/x', message: 'must be a whole number', line: 3, column: 21 }],
        },
      ],
      warnings: [
        expect.stringMatching(/^The module broken does not run\. broken\.ts:1:7: /),
        expect.stringMatching(/^The module shopp does not run\. There is no module shopp .* Did you mean "shop"\?$/),
      ],
    })
    expect(await checkReloaded({ ...report, reloaded: [] })).toMatchObject({ modules: [], warnings: [] })
    node.configs.set({ modules: {} })
  })

  it('name a deleted entry whose module needs a setting, in a save and after a reload', async () => {
    const configOf = (modules: object): ModulesConfig => createFixedConfigs({ modules: { modules } }).get('modules.yaml')
    await node.write('late', 'declare: { settings: Type.Object({ x: Type.Integer() }) }')
    node.configs.set({ modules: { modules: { late: { settings: { x: 1 } } } } })
    await waitFor(() => node.moduleHost.list().some(({ name, state }) => name === 'late' && state === 'running'))
    const check = createCheckModuleSettings(orders)
    const faults = [{ pointer: '/modules/late/settings/x', message: 'is required' }]
    const found = { modules: [{ name: 'late', isRunning: true, faults }], warnings: [] }
    expect(await check(node.configs.get('modules.yaml'), configOf({}))).toEqual(found)
    node.configs.set({ modules: { modules: {} } })
    expect(await check(undefined, node.configs.get('modules.yaml'))).toEqual(found)
    // What other processes read agrees with the answer.
    expect((await listModules(node.nodeReports)).find(({ name }) => name === 'late')).toMatchObject({
      state: 'running',
      fault: { message: '/modules/late/settings/x is required' },
    })
    node.configs.set({ modules: { modules: { late: { settings: { x: 1 } } } } })
    expect((await check(undefined, node.configs.get('modules.yaml'))).modules).toEqual([])
    const [late] = (await listModules(node.nodeReports)).filter(({ name }) => name === 'late')
    expect(late).toMatchObject({ state: 'running' })
    expect(late?.fault).toBeUndefined()
  })

  it('name nodes that did not answer', async () => {
    await node.nodeReports.tell('players', 'silent', '[]')
    const { warnings } = await createCheckModuleSettings(orders)(undefined, node.configs.get('modules.yaml'), 1_000)
    expect(warnings).toContain('The node silent did not answer within 1 seconds. Its modules were not checked.')
    await node.nodeReports.withdraw('players', 'silent')
  })

  it('pass messages over HTTP to a player without a place, with the data of the player', async () => {
    const { account } = await node.join('Ann')
    expect(await pay(account.playerId, 3)).toMatchObject([{ outcome: 'done', value: { coins: 7, isHere: false } }])
    expect(await pay(account.playerId, 99)).toMatchObject([{ outcome: 'refused', error: { slug: 'module-rules' } }])
    expect(await pay(account.playerId, 'x')).toMatchObject([{ error: { slug: 'bad-request', errors: [{ pointer: '/coins' }] } }])
    expect(await pay(account.playerId, 1, 'count')).toMatchObject([{ error: { slug: 'not-found' } }])
    expect(await pay(account.playerId, 1, 'staff')).toMatchObject([{ error: { slug: 'missing-permission' } }])
  })

  it('keep the data of an account that is not in the game', async () => {
    const { playerId } = await node.addAccount('Bob')
    expect(await pay(playerId, 4)).toMatchObject([{ value: { coins: 6 } }])
    expect(await pay(playerId, 4)).toMatchObject([{ value: { coins: 2 } }])
    expect(await admin.find({ module: 'shop', playerId })).toMatchObject({ value: { coins: 2 } })
  })

  it('read and replace the data of a connected player at once, and refuse data that does not fit', async () => {
    const { account } = await node.join('Cid')
    const target = { module: 'shop', playerId: account.playerId }
    expect(await admin.find(target)).toMatchObject({ value: { coins: 10 }, version: 1 })
    await admin.put(operator, target, { coins: 500 })
    expect(await pay(account.playerId, 100)).toMatchObject([{ value: { coins: 400 } }])
    await expect(admin.put(operator, target, { coins: -1 })).rejects.toMatchObject({ slug: 'rule-broken' })
    await expect(admin.put(operator, target, { coins: 1 }, { was: { coins: 500 } })).rejects.toMatchObject({ slug: 'stale' })
    await admin.delete(operator, target)
    expect(await admin.find(target)).toMatchObject({ value: { coins: 10 } })
  })

  it('check records against the declaration of the module', async () => {
    const target = { module: 'shop', record: 'sales', id: '1' }
    await admin.put(operator, target, { item: 'apple' })
    await expect(admin.put(operator, target, { item: 7 })).rejects.toMatchObject({ slug: 'rule-broken' })
    await expect(admin.put(operator, { ...target, record: 'gifts' }, {})).rejects.toMatchObject({ slug: 'rule-broken' })
  })

  it('reload a module, keep the data, and refuse a version that does not load', async () => {
    const { account } = await node.join('Dan')
    await pay(account.playerId, 1)
    await node.write('shop', shop.replace('player.data.coins -= coins', 'player.data.coins -= 2 * coins'))
    const reload = () => orders.send({ kind: 'reload', module: 'shop', yes: false }, { answerMs: 20_000 })
    expect(await reload()).toMatchObject([{ outcome: 'done', value: { name: 'shop', state: 'running' } }])
    expect(await pay(account.playerId, 2)).toMatchObject([{ value: { coins: 5 } }])
    await node.write('shop', 'declare: {')
    expect(await reload()).toMatchObject([{ outcome: 'refused', error: { slug: 'module-not-loaded' } }])
    expect(await pay(account.playerId, 1)).toMatchObject([{ value: { coins: 3 } }])
  })
})
