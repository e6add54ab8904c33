import { describe, expect, it } from '@jest/globals'
import { Type } from '@sinclair/typebox'
import fc from 'fast-check'
import { catalogue } from '../../../../../shared/domain/configs/catalogue.ts'
import { listChanges } from '../../../../../shared/domain/configs/compare/list-changes.ts'
import { type ConfigFile, defineConfigFile } from '../../../../../shared/domain/configs/declare/config-file.ts'
import type { GroupsConfig } from '../../../../../shared/domain/permissions/groups-config.ts'
import { applyChanges } from '../../../../support/configs/apply-changes.ts'
import { createFixedConfigs } from '../../../../support/configs/fixed-configs.ts'

const anyFile: ConfigFile<unknown> = defineConfigFile({
  schema: Type.Unknown(),
  summary: 'Anything.',
  effect: 'reload',
  crossCheck: () => [],
})
const change = (stored: unknown, next: unknown) => listChanges(anyFile, { inForce: stored, stored, next }).changes

const groupsOf = (...names: string[]): GroupsConfig => ({
  groups: names.map((name) => ({ name, permissions: [`shop.${name}`] })),
  defaultGroups: ['player'],
})

describe('the list of changes', () => {
  it('is empty for two equal documents', () => {
    fc.assert(fc.property(fc.jsonValue(), (document) => expect(change(document, structuredClone(document))).toEqual([])))
  })

  it('is sufficient to turn one document into the other', () => {
    const { node } = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 5, depthSize: 'small' },
        fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constantFrom('a', 'b', 'c', ''), fc.boolean()),
        fc.dictionary(fc.constantFrom('a', 'b', 'c~/', 'id'), tie('node'), { maxKeys: 4 }),
        fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 5 }),
        fc.uniqueArray(fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), of: tie('node') }), {
          maxLength: 4,
          selector: ({ name }) => name,
        }),
        fc.array(tie('node'), { maxLength: 4 }),
      ),
    }))
    const isDocument = (value: unknown) => typeof value === 'object'
    const document = node.filter(isDocument)
    fc.assert(
      fc.property(document, document, (stored, next) => {
        expect(applyChanges({ stored }, change({ stored }, { stored: next }))).toEqual({ stored: next })
      }),
      { numRuns: 1000 },
    )
  })

  it('points into the new content, for removals into the old, and escapes keys', () => {
    const stored = { kept: 1, 'a/b': { '~': 1 }, gone: [1] }
    const next = { kept: 1, 'a/b': { '~': 2 }, come: {} }
    expect(change(stored, next)).toEqual([
      { pointer: '/a~1b/~0', from: 1, to: 2, effect: 'reload' },
      { pointer: '/gone', from: [1], to: null, effect: 'reload' },
      { pointer: '/come', from: null, to: {}, effect: 'reload' },
    ])
  })

  it('reports a group added before a hundred others as one change', () => {
    const names = Array.from({ length: 100 }, (_, at) => `group-${at}`)
    expect(change(groupsOf(...names), groupsOf('new', ...names))).toEqual([
      { pointer: '/groups/0', from: null, to: { name: 'new', permissions: ['shop.new'] }, effect: 'reload' },
    ])
    expect(change(groupsOf('new', ...names), groupsOf(...names))).toEqual([
      { pointer: '/groups/0', from: { name: 'new', permissions: ['shop.new'] }, to: null, effect: 'reload' },
    ])
  })

  it('follows an entry to its new position', () => {
    const next = groupsOf('new', 'one', 'two')
    next.groups[2]?.permissions.unshift('world.build')
    expect(change(groupsOf('one', 'two'), next)).toEqual([
      expect.objectContaining({ pointer: '/groups/0' }),
      { pointer: '/groups/2/permissions/0', from: null, to: 'world.build', effect: 'reload' },
    ])
  })

  it('reports another order by the names, once', () => {
    expect(change(groupsOf('one', 'two', 'three'), groupsOf('three', 'one', 'two'))).toEqual([
      { pointer: '/groups', from: ['one', 'two', 'three'], to: ['three', 'one', 'two'], effect: 'reload' },
    ])
  })

  it('compares entries without names by their positions', () => {
    const layer = (block: string, height: number) => ({ block, height })
    const stored = { layers: [layer('stone', 1), layer('dirt', 1), layer('stone', 2)] }
    const next = { layers: [layer('stone', 1), layer('stone', 2), layer('stone', 2), layer('grass', 1)] }
    expect(change(stored, next)).toEqual([
      { pointer: '/layers/1/block', from: 'dirt', to: 'stone', effect: 'reload' },
      { pointer: '/layers/1/height', from: 1, to: 2, effect: 'reload' },
      { pointer: '/layers/3', from: null, to: layer('grass', 1), effect: 'reload' },
    ])
  })

  it('lists 500 changes and counts the rest', () => {
    const next = Object.fromEntries(Array.from({ length: 1234 }, (_, at) => [`key-${at}`, at]))
    const { changes, omitted } = listChanges(anyFile, { inForce: {}, stored: {}, next })
    expect(changes).toHaveLength(500)
    expect(omitted).toBe(734)
  })
})

describe('the effect of a change', () => {
  const configs = createFixedConfigs()

  it('is a restart where the active value stays, and otherwise a reload', () => {
    const inForce = configs.get('server.yaml')
    const next = { ...inForce, realtime: { ...inForce.realtime, tickRate: 30, viewRadius: 4 } }
    expect(listChanges(catalogue['server.yaml'], { inForce, stored: inForce, next }).changes).toEqual([
      { pointer: '/realtime/tickRate', from: 20, to: 30, effect: 'restart' },
      { pointer: '/realtime/viewRadius', from: 8, to: 4, effect: 'reload' },
    ])
  })

  it('is a reload where the change restores the active value', () => {
    const inForce = configs.get('server.yaml')
    const stored = { ...inForce, realtime: { ...inForce.realtime, tickRate: 30 } }
    expect(listChanges(catalogue['server.yaml'], { inForce, stored, next: inForce }).changes).toEqual([
      { pointer: '/realtime/tickRate', from: 30, to: 20, effect: 'reload' },
    ])
  })

  it('is a restart for a removed block, and a reload for an added one', () => {
    const inForce = configs.get('blocks.yaml')
    const [first, ...others] = inForce.blocks
    const next = { blocks: [{ id: 'jelly', name: 'Jelly', colour: '#00ff00', solid: true }, ...others] }
    expect(listChanges(catalogue['blocks.yaml'], { inForce, stored: inForce, next }).changes).toEqual([
      { pointer: '/blocks/0', from: first, to: null, effect: 'restart' },
      { pointer: '/blocks/0', from: null, to: next.blocks[0], effect: 'reload' },
    ])
  })

  it('is none where only people read the value', () => {
    const file: ConfigFile<unknown> = { ...anyFile, isNote: (pointer) => pointer.endsWith('/description') }
    const [note] = listChanges(file, { inForce: {}, stored: {}, next: { description: 'New.' } }).changes
    expect(note).toEqual({ pointer: '/description', from: null, to: 'New.', effect: 'now' })
  })
})
