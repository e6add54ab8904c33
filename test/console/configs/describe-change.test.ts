import { describe, expect, it } from '@jest/globals'
import { compareValues, describeChange } from '../../../console/configs/describe-change.ts'
import { pathOfPointer } from '../../../console/configs/schema-titles.ts'
import { createConfigSchema } from '../../../shared/domain/configs/config-schemas.ts'

const server = createConfigSchema('server.yaml')
const groups = createConfigSchema('groups.yaml')

describe('a change of a config as text', () => {
  it.each([
    ['/auth/local/requirePassword', false, true, 'Sign-in › Email and password › Require a password: Off → On'],
    ['/realtime/motd', '', 'Hello', 'Game › Welcome message: empty → Hello'],
    ['/realtime/viewRadius', 8, 12, 'Game › View distance: 8 → 12'],
    ['/http/hosts/0', null, 'game.example.org', 'Network › Host names: added game.example.org'],
    ['/http/hosts', [], ['a', 'b'], 'Network › Host names: none → a, b'],
    ['/backups/every', null, '6h', 'Backups › Make a backup every: set to 6h'],
    ['/backups/every', '6h', null, 'Backups › Make a backup every: removed, was 6h'],
  ])('describes %s from %j to %j', (pointer, from, to, text) => {
    const { place, what } = describeChange(server, { path: pathOfPointer(server, pointer), from, to }, {}, {})
    expect(`${place.join(' › ')}: ${what}`).toBe(text)
  })

  it('names the items of a list by their names in either version', () => {
    const [before, after] = [{ groups: [{ name: 'a' }, { name: 'builder' }] }, { groups: [{ name: 'builder' }] }]
    const describeIn = (pointer: string, from: unknown, to: unknown) =>
      describeChange(groups, { path: pathOfPointer(groups, pointer), from, to }, before, after)
    expect(describeIn('/groups/0/permissions/1', null, 'zone.build')).toEqual({
      place: ['Groups', 'builder', 'Permissions'],
      what: 'added zone.build',
    })
    expect(describeIn('/groups/0', { name: 'a' }, null)).toEqual({ place: ['Groups'], what: 'removed a' })
  })
})

describe('the differences between two versions', () => {
  it('match list items by name, and list a new section by its values', () => {
    const from = {
      groups: [
        { name: 'a', permissions: ['x'] },
        { name: 'b', permissions: [] },
      ],
    }
    const to = { groups: [{ name: 'b', permissions: ['y'] }], audit: { days: 9 } }
    expect(compareValues(from, to)).toEqual([
      { path: ['groups', 0], from: from.groups[0], to: undefined },
      { path: ['groups', 0, 'permissions', 0], from: undefined, to: 'y' },
      { path: ['audit', 'days'], from: undefined, to: 9 },
    ])
  })

  it('are none for equal values, whether absent or null', () => {
    expect(compareValues({ a: null, b: [1, { c: 2 }] }, { b: [1, { c: 2 }] })).toEqual([])
  })
})
