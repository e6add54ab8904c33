import { describe, expect, it } from '@jest/globals'
import { catalogue } from '../../../../../shared/domain/configs/catalogue.ts'
import { parseConfig } from '../../../../../shared/domain/configs/reading/parse-config.ts'

const file = catalogue['skills/spells.yaml']

const faultsOf = (text: string) => {
  const result = parseConfig(file, text)
  return result.ok ? [] : result.faults.map(({ line, pointer }) => [line, pointer])
}

const whole = ['type: ward', 'enabled: true', 'cost: 0', 'cooldownMs: 0', 'radius: 0', 'maxRange: 0']
/** A spell with these keys and all other required keys. */
const spellOf = (keys: string): string[] => [
  ...(keys === '' ? [] : [keys]),
  ...whole.filter((one) => !keys.includes(one.split(' ')[0] ?? '')),
]

describe('skills/spells.yaml', () => {
  it.each(['type', 'enabled', 'cost', 'cooldownMs', 'radius', 'maxRange'])('refuses a spell without %s', (key) => {
    const text = `spells:\n  it: {${spellOf('')
      .filter((one) => !one.startsWith(key))
      .join(', ')}}`
    expect(faultsOf(text)).toEqual([[2, `/spells/it/${key}`]])
  })

  it('has no spells when it is empty', () => expect(parseConfig(file, '')).toEqual({ ok: true, value: { spells: {} } }))

  it('applies on reload', () => expect(file.effect).toBe('reload'))

  it.each([
    ['a type of two words', 'type: two words', 'type'],
    ['a switch that is a word', 'enabled: yes', 'enabled'],
    ['a cost that is not whole', 'cost: 1.5', 'cost'],
    ['a negative cooldown', 'cooldownMs: -1', 'cooldownMs'],
    ['a radius of more than 64 blocks', 'radius: 64.5', 'radius'],
    ['a range of more than 256 blocks', 'maxRange: 257', 'maxRange'],
    ['a range in quotes', 'maxRange: "5"', 'maxRange'],
    ['a range that is not a number', 'maxRange: .nan', 'maxRange'],
    ['a range without end', 'maxRange: .inf', 'maxRange'],
    ['an unknown key', 'range: 5', 'range'],
  ])('refuses %s', (_, text, key) => {
    expect(faultsOf(`spells:\n  it: {${spellOf(text).join(', ')}}`)).toEqual([[2, `/spells/it/${key}`]])
  })

  it.each(['Ward', '"a b"', '1ward', 'a.b'])('does not accept %s as an id', (id) => {
    expect(faultsOf(`spells:\n  ${id}: {${whole.join(', ')}}`)).toHaveLength(1)
  })
})
