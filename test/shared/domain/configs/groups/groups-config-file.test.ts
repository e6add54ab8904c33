import { describe, expect, it } from '@jest/globals'
import { catalogue } from '../../../../../shared/domain/configs/catalogue.ts'
import { parseConfig } from '../../../../../shared/domain/configs/reading/parse-config.ts'

const faultsOf = (...groups: string[]) => {
  const result = parseConfig(
    catalogue['groups.yaml'],
    `groups:\n${groups.map((group) => `  - {${group}, permissions: [x]}\n`).join('')}`,
  )
  return result.ok ? [] : result.faults.map(({ line, pointer, message }) => [line, pointer, message])
}

describe('groups.yaml', () => {
  it('refuses groups with more than 200,000 rules after inheritance, and accepts large files', () => {
    const chain = (groups: number, rules: number) =>
      JSON.stringify({
        groups: Array.from({ length: groups }, (_, i) => ({
          name: `g${i}`,
          permissions: Array.from({ length: rules }, (__, j) => `a${i}.b${j}`),
          inherits: i === 0 ? [] : [`g${i - 1}`],
        })),
      })
    expect(parseConfig(catalogue['groups.yaml'], chain(50, 100))).toMatchObject({ ok: true })
    expect(parseConfig(catalogue['groups.yaml'], chain(700, 2))).toMatchObject({
      ok: false,
      faults: [{ pointer: '/groups', message: expect.stringContaining('inherit less') }],
    })
    const everybody = Array.from({ length: 900 }, (_, i) => `g${i}`)
    const star = everybody.map((name, i) => ({ name, permissions: [], inherits: everybody.slice(0, i) }))
    expect(parseConfig(catalogue['groups.yaml'], JSON.stringify({ groups: star }))).toMatchObject({ ok: false })
  })

  it('accepts groups that inherit from each other in any order, and from admin', () => {
    expect(faultsOf('name: a, inherits: [b, c, admin]', 'name: b, inherits: [c]', 'name: c')).toEqual([])
  })

  it('accepts default groups that do not exist, without effect', () => {
    expect(parseConfig(catalogue['groups.yaml'], 'defaultGroups: [nobody]').ok).toBe(true)
  })

  it('refuses to redefine admin', () => {
    expect(faultsOf('name: admin')).toEqual([[2, '/groups/0/name', expect.stringContaining('"admin" is built in')]])
  })

  it('refuses a duplicate name, at each later entry', () => {
    expect(faultsOf('name: a', 'name: b', 'name: a', 'name: a')).toEqual([
      [4, '/groups/2/name', expect.stringContaining('earlier group')],
      [5, '/groups/3/name', expect.stringContaining('earlier group')],
    ])
  })

  it('refuses a group that inherits from a missing one, and names it', () => {
    expect(faultsOf('name: a, inherits: [b, constructor]', 'name: b')).toEqual([
      [2, '/groups/0/inherits/1', expect.stringContaining('Unknown group `constructor`')],
    ])
  })

  it.each([
    [['name: a, inherits: [a]'], '/groups/0/inherits/0', 'a → a'],
    [['name: a, inherits: [b]', 'name: b, inherits: [a]'], '/groups/1/inherits/0', 'a → b → a'],
    [['name: z, inherits: [a]', 'name: a, inherits: [b]', 'name: b, inherits: [z, a]'], '/groups/2/inherits/0', 'z → a → b → z'],
  ])('refuses the cycle in %j and shows it', (groups, pointer, circle) => {
    expect(faultsOf(...groups)[0]).toEqual([expect.any(Number), pointer, expect.stringContaining(circle)])
  })

  it('does not treat two paths to the same group as a cycle', () => {
    expect(faultsOf('name: a, inherits: [b, c]', 'name: b, inherits: [d]', 'name: c, inherits: [d]', 'name: d')).toEqual([])
  })

  it('lists faults of every kind together', () => {
    expect(faultsOf('name: admin', 'name: a, inherits: [a, gone]', 'name: a').map(([, pointer]) => pointer)).toEqual([
      '/groups/0/name',
      '/groups/1/inherits/0',
      '/groups/1/inherits/1',
      '/groups/2/name',
    ])
  })

  it('is fast for a chain and a dense graph of groups', () => {
    const chain = Array.from({ length: 500 }, (_, index) => `name: g${index}, inherits: [g${(index + 1) % 500}]`)
    expect(faultsOf(...chain)).toHaveLength(1)
    const thicket = Array.from({ length: 60 }, (_, index) => {
      const others = Array.from({ length: 59 - index }, (_unused, offset) => `g${index + offset + 1}`)
      return `name: g${index}, inherits: [${others.join(', ')}]`
    })
    expect(faultsOf(...thicket)).toEqual([])
  })

  it('has descriptions that only people read, and applies everything else on reload', () => {
    const { isNote, afterReload } = catalogue['groups.yaml']
    expect(isNote('/groups/3/description')).toBe(true)
    expect(['/groups/3/permissions', '/groups/3', '/defaultGroups/0'].filter(isNote)).toEqual([])
    const [before, next] = [
      { groups: [], defaultGroups: ['a'] },
      { groups: [], defaultGroups: ['b'] },
    ]
    expect(afterReload(before, next)).toEqual(next)
  })
})
