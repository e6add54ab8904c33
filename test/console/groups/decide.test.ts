import { expect, it } from '@jest/globals'
import { decide, toggle } from '../../../console/groups/decide.ts'

it('decides by own and inherited rules, with stars, and a denial wins', () => {
  expect(decide('command.tp', ['command.*'], [])).toBe('granted')
  expect(decide('command.tp', [], ['*'])).toBe('inherited')
  expect(decide('command.tp', ['command.tp'], ['-command.*'])).toBe('denied')
  expect(decide('command.tp', ['-command.tp'], ['*'])).toBe('denied')
  expect(decide('commander.tp', ['command.*'], [])).toBe('none')
})

it('toggles one rule: a rule for the permission goes, a grant by another rule is denied', () => {
  expect(toggle('zone.build', [], [])).toEqual(['zone.build'])
  expect(toggle('zone.build', ['zone.build', 'zone.own'], [])).toEqual(['zone.own'])
  expect(toggle('zone.build', ['zone.*'], [])).toEqual(['zone.*', '-zone.build'])
  expect(toggle('zone.build', [], ['*'])).toEqual(['-zone.build'])
  expect(toggle('zone.build', ['-zone.build'], ['*'])).toEqual([])
})
