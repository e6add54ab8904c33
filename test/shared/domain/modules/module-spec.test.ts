import { describe, expect, it } from '@jest/globals'
import { Type } from '@sinclair/typebox'
import { compileData } from '../../../../shared/domain/modules/data/data-kind.ts'
import { readSpec } from '../../../../shared/domain/modules/module-spec.ts'

const faultsOf = (definition: object): readonly string[] => {
  const read = readSpec({ name: 'shop', api: 1, ...definition })
  return read.ok ? [] : read.faults.map(({ pointer, message }) => `${pointer} ${message}`)
}
const command = { description: 'Buys.', forms: [[]], run: () => 'bought' }

describe('a mistake in a definition', () => {
  it('of a key is answered with the keys that exist', () => {
    expect(faultsOf({ recieve: {} })).toEqual([expect.stringMatching(/^\/recieve is not known\. Use one of: name, .*receive/)])
    expect(faultsOf({ declare: { record: {} } })).toEqual([expect.stringMatching(/^\/declare\/record is not known\. .*records/)])
    expect(faultsOf({ on: { onJoin: () => undefined } })).toEqual([
      expect.stringMatching(/^\/on\/onJoin is not known\. .*joined/),
    ])
    // The interface does not have them, so they would never run.
    expect(faultsOf({ on: { died: () => undefined }, decide: { use: () => undefined } })).toHaveLength(2)
  })

  it('of a permission is one fault with an example', () => {
    expect(faultsOf({ commands: { buy: { ...command, permission: 'builder' } } })).toEqual([
      expect.stringMatching(/^\/commands\/buy\/permission .*`none`, or the full name .*module\.shop\.buy/),
    ])
    const declare = { permissions: { 'module.shop.buy': 'Buy.' } }
    for (const permission of ['none', 'module.shop.buy', 'world.fly', 'module.other.use'])
      expect(faultsOf({ declare, commands: { buy: { ...command, permission } } })).toEqual([])
  })

  it('of a permission that does not exist names the closest one, or asks to declare it', () => {
    const permissions = { 'module.shop.buy': 'Buy.' }
    const faultsWith = (permission: string) => [
      ...faultsOf({ declare: { permissions }, commands: { buy: { ...command, permission } } }),
      ...faultsOf({
        declare: { permissions, messages: { buy: { params: {}, permission } } },
        receive: { buy: () => undefined },
      }),
    ]
    const places = ['/commands/buy/permission', '/declare/messages/buy/permission']
    for (const [permission, message] of [
      ['module.shop.bui', 'Unknown permission `module.shop.bui`. Did you mean `module.shop.buy`?'],
      ['world.bild', 'Unknown permission `world.bild`. Did you mean `world.build`?'],
      [
        'module.shop.administer',
        'Unknown permission `module.shop.administer`. Add it to `declare.permissions`, with a description.',
      ],
    ] as const)
      expect(faultsWith(permission)).toEqual(places.map((place) => `${place} ${message}`))
  })

  it('of an async function or a generator names the handler and what to use', () => {
    const { description, forms } = command
    const waits = async () => undefined
    const runs = { joined: waits, left: async function* () {}, said: function* () {} }
    const isAsync = expect.stringMatching(/ must not be async, because a tick cannot wait\. .*game\.later/)
    const faults = faultsOf({
      on: runs,
      commands: { buy: { description, forms, permission: 'none', run: waits } },
      schedules: { hour: { cron: '0 * * * *', run: waits } },
      declare: { player: { schema: {}, migrate: [waits] } },
    })
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
      ...['/on/joined', '/on/left', '/on/said', '/declare/player/migrate/0', '/commands/buy/run', '/schedules/hour/run'],
    ])
    expect(faults).toEqual([isAsync, isAsync, expect.stringMatching(/ must not be a generator\./), isAsync, isAsync, isAsync])
  })

  it('of a schema without defaults names the key, also after the way through JSON', () => {
    const schema = JSON.parse(JSON.stringify(Type.Object({ coins: Type.Integer() })))
    expect(() => compileData({ schema }, { needsInitial: true })).toThrow(
      expect.objectContaining({ publicDetail: expect.stringMatching(/^needs a default.*\/coins is required/) }),
    )
    const score = JSON.parse(JSON.stringify(Type.Integer({ default: 3 })))
    expect(compileData({ schema: score }, { needsInitial: true }).initial()).toBe(3)
  })
})

it('schemas of several modules, and of a module that is loaded again, may have the same $id', () => {
  for (const most of [3, 5]) {
    const Coins = Type.Integer({ $id: 'Coins', default: 1, maximum: most })
    const schema: unknown = JSON.parse(JSON.stringify(Type.Object({ coins: Coins }, { $id: 'Purse' })))
    const kind = compileData({ schema: schema as typeof Coins }, { needsInitial: true })
    expect(kind.initial()).toEqual({ coins: 1 })
    expect(kind.encode({ coins: most }).value).toEqual({ coins: most })
    expect(() => kind.encode({ coins: most + 1 })).toThrow()
  }
})
