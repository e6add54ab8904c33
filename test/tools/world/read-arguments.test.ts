import { describe, expect, it } from '@jest/globals'
import { readArguments } from '../../../tools/world/read-arguments.ts'

const kinds = { seed: 'value', box: 'value', repair: 'flag' } as const
const read = (...args: string[]) => readArguments(args, ['NAME'], kinds)

describe('the arguments of a world command', () => {
  it('are positional ones and options in any order', () => {
    const expected = { ok: true, value: { positionals: ['north'], values: { seed: 'abc' }, flags: new Set(['repair']) } }
    expect(read('north', '--seed', 'abc', '--repair')).toEqual(expected)
    expect(read('--repair', '--seed=abc', 'north')).toEqual(expected)
  })

  it('accept a value that begins with a minus', () => {
    expect(read('north', '--seed', '-12')).toMatchObject({ value: { values: { seed: '-12' } } })
    expect(read('north', '--box', '-4,-4,4,4')).toMatchObject({ value: { values: { box: '-4,-4,4,4' } } })
  })

  it.each([
    [[], 'NAME is missing.'],
    [['north', 'south'], 'Too many arguments'],
    [['north', '--speed', '1'], 'An option is unknown'],
    [['north', '--seed'], 'has no value'],
    [['north', '--repair=yes'], 'An option is unknown'],
  ])('are refused when they are %j', (args, reason) => {
    expect(read(...args)).toEqual({ ok: false, reason: expect.stringContaining(reason) })
  })
})
