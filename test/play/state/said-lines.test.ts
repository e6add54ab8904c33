import { expect, it } from '@jest/globals'
import { recallLine, rememberLine } from '../../../play/state/said-lines.ts'

it('goes back through chat lines and commands, newest first', () => {
  const said = ['hello', '/who', '/who', 'hello'].reduce<readonly string[]>(rememberLine, [])
  expect([1, 2, 3, 0].map((back) => recallLine(said, back))).toEqual(['hello', '/who', 'hello', ''])
})

it('keeps the last fifty', () => {
  const said = Array.from({ length: 80 }, (_, at) => `${at}`).reduce<readonly string[]>(rememberLine, [])
  expect([said.length, recallLine(said, 50), recallLine(said, 51)]).toEqual([50, '30', ''])
})
