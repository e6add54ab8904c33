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
  })

  it('of a permission is one fault with an example', () => {
    expect(faultsOf({ commands: { buy: { ...command, permission: 'builder' } } })).toEqual([
      expect.stringMatching(/^\/commands\/buy\/permission .*`none`, or the full name .*module\.shop\.buy/),
    ])
    for (const permission of ['none', 'module.shop.buy', 'world.fly'])
      expect(faultsOf({ commands: { buy: { ...command, permission } } })).toEqual([])
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
