import { describe, expect, it } from '@jest/globals'
import { catalogue } from '../../../../../shared/domain/configs/catalogue.ts'
import { parseConfig } from '../../../../../shared/domain/configs/reading/parse-config.ts'

const parse = (...blocks: string[]) =>
  parseConfig(catalogue['blocks.yaml'], `blocks:\n${blocks.map((block) => `  - {${block}}\n`).join('')}`)

const faultsOf = (...blocks: string[]) => {
  const result = parse(...blocks)
  return result.ok ? [] : result.faults.map(({ line, pointer, message }) => [line, pointer, message])
}

const block = (id: string) => `id: ${id}, name: Some block, colour: "#102030"`

describe('blocks.yaml', () => {
  it('treats a block as solid by default', () => {
    expect(parse(block('stone'), `${block('mist')}, solid: false`)).toEqual({
      ok: true,
      value: {
        blocks: [
          { id: 'stone', name: 'Some block', colour: '#102030', solid: true },
          { id: 'mist', name: 'Some block', colour: '#102030', solid: false },
        ],
      },
    })
  })

  it('has default blocks when it is empty, and none when the list is empty', () => {
    const shipped = parseConfig(catalogue['blocks.yaml'], '')
    expect(shipped.ok && shipped.value.blocks.length).toBeGreaterThanOrEqual(24)
    expect(parseConfig(catalogue['blocks.yaml'], 'blocks: []')).toEqual({ ok: true, value: { blocks: [] } })
  })

  it('has no faults in its default blocks', () => {
    const shipped = parseConfig(catalogue['blocks.yaml'], '')
    if (!shipped.ok) throw new Error('not valid')
    expect(parseConfig(catalogue['blocks.yaml'], JSON.stringify(shipped.value))).toEqual(shipped)
    expect(new Set(shipped.value.blocks.map(({ name }) => name)).size).toBe(shipped.value.blocks.length)
    const passable = shipped.value.blocks.filter(({ solid }) => !solid).map(({ id }) => id)
    expect(passable).toEqual(['water', 'lava', 'tall_grass', 'flower', 'torch'])
  })

  it.each(['air', 'unknown'])('refuses %s, which is built in', (id) => {
    expect(faultsOf(block('stone'), block(id))).toEqual([[3, '/blocks/1/id', expect.stringContaining(`"${id}" is built in`)]])
  })

  it('refuses a duplicate id, at each later entry', () => {
    expect(faultsOf(block('a'), block('b'), block('a'), block('a'))).toEqual([
      [4, '/blocks/2/id', expect.stringContaining('earlier block')],
      [5, '/blocks/3/id', expect.stringContaining('earlier block')],
    ])
  })

  it.each([
    ['an id in capitals', 'id: Stone, name: Stone, colour: "#102030"', '/blocks/0/id'],
    ['an id with a name space', 'id: "minecraft:stone", name: Stone, colour: "#102030"', '/blocks/0/id'],
    ['an id of 65 letters', `id: ${'a'.repeat(65)}, name: Stone, colour: "#102030"`, '/blocks/0/id'],
    ['a colour of three digits', 'id: stone, name: Stone, colour: "#123"', '/blocks/0/colour'],
    ['a colour that YAML reads as a comment', 'id: stone, name: Stone, colour: ', '/blocks/0/colour'],
    ['an empty name', 'id: stone, name: "", colour: "#102030"', '/blocks/0/name'],
    ['a block without a name', 'id: stone, colour: "#102030"', '/blocks/0/name'],
    ['an unknown key', 'id: stone, name: Stone, colour: "#102030", liquid: true', '/blocks/0/liquid'],
  ])('refuses %s', (_, text, pointer) => expect(faultsOf(text)).toContainEqual([2, pointer, expect.any(String)]))

  it('accepts 4,000 blocks and no more', () => {
    const blocks = Array.from({ length: 4001 }, (_, place) => block(`b${place}`))
    expect(parse(...blocks.slice(1)).ok).toBe(true)
    expect(faultsOf(...blocks)).toEqual([[expect.any(Number), '/blocks', expect.stringContaining('4000')]])
  })
})

describe('a reload of blocks.yaml', () => {
  const listBlocks = (...ids: string[]) => ({
    blocks: ids.map((id) => ({ id, name: id, colour: '#102030', solid: true })),
  })
  const { afterReload, isNote, effect } = catalogue['blocks.yaml']
  const idsAfter = (before: string[], next: string[]) =>
    afterReload(listBlocks(...before), listBlocks(...next)).blocks.map(({ id }) => id)

  it('applies added and changed blocks, in the order of the file', () => {
    const next = { blocks: [{ id: 'b', name: 'B', colour: '#ffffff', solid: false }, ...listBlocks('c', 'a').blocks] }
    expect(afterReload(listBlocks('a', 'b'), next)).toEqual(next)
  })

  it('keeps each removed block in its place until a restart', () => {
    expect(effect).toBe('restart')
    expect(idsAfter(['a', 'b', 'c', 'd'], ['b', 'x'])).toEqual(['a', 'b', 'c', 'd', 'x'])
    expect(idsAfter(['a', 'b'], [])).toEqual(['a', 'b'])
    expect(idsAfter(['a', 'b', 'c'], ['c', 'a'])).toEqual(['c', 'a', 'b'])
  })

  it('has names that only people read', () => {
    expect(isNote('/blocks/12/name')).toBe(true)
    expect(['/blocks/1/colour', '/blocks/1', '/blocks/1/name/x', ''].filter(isNote)).toEqual([])
  })
})
