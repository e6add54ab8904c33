import { describe, expect, it } from '@jest/globals'
import { catalogue } from '../../../../shared/configs/catalogue.ts'
import { parseConfig } from '../../../../shared/configs/reading/parse-config.ts'

const file = catalogue['skills/spells.yaml']

const faultsOf = (text: string) => {
  const result = parseConfig(file, text)
  return result.ok ? [] : result.faults.map(({ line, pointer }) => [line, pointer])
}

describe('skills/spells.yaml', () => {
  it('takes a spell for switched on, free, and the caster alone for its target, if it does not say', () => {
    expect(parseConfig(file, 'spells: {ward: {type: ward}}')).toEqual({
      ok: true,
      value: { spells: { ward: { type: 'ward', enabled: true, cost: 0, cooldownMs: 0, radius: 0, maxRange: 0 } } },
    })
  })

  it('has no spells where it is empty', () => expect(parseConfig(file, '')).toEqual({ ok: true, value: { spells: {} } }))

  it('is in force on reload', () => expect(file.effect).toBe('reload'))

  it.each([
    ['no type', '', 'type'],
    ['a type of two words', 'type: two words', 'type'],
    ['a switch that is a word', 'type: ward, enabled: yes', 'enabled'],
    ['a cost that is not whole', 'type: ward, cost: 1.5', 'cost'],
    ['a negative cooldown', 'type: ward, cooldownMs: -1', 'cooldownMs'],
    ['a radius of more than 64 blocks', 'type: ward, radius: 64.5', 'radius'],
    ['a range of more than 256 blocks', 'type: ward, maxRange: 257', 'maxRange'],
    ['a range in quotes', 'type: ward, maxRange: "5"', 'maxRange'],
    ['a range that is no number', 'type: ward, maxRange: .nan', 'maxRange'],
    ['a range without end', 'type: ward, maxRange: .inf', 'maxRange'],
    ['a key that there is not', 'type: ward, range: 5', 'range'],
  ])('refuses %s', (_, text, key) => {
    expect(faultsOf(`spells:\n  it: {${text}}`)).toEqual([[2, `/spells/it/${key}`]])
  })

  it.each(['Ward', '"a b"', '1ward', 'a.b'])('does not take %s for an id', (id) => {
    expect(faultsOf(`spells:\n  ${id}: {type: ward}`)).toHaveLength(1)
  })
})
