import { expect, it } from '@jest/globals'
import { completeLine } from '../../../play/state/complete-line.ts'

const commands = [
  { name: 'who', usage: '/who', description: 'Lists who is in the game.' },
  { name: 'world', usage: '/world', description: 'Tells about the world.' },
  { name: 'kick', usage: '/kick <player> [reason]', description: 'Sends somebody away.' },
]
const people = ['Ann', 'Anna Lee', 'bob']
const lines = (line: string) => completeLine(line, commands, people).map((one) => one.line)

it('completes commands by the beginning of their name', () => {
  expect(lines('/')).toEqual(['/who ', '/world ', '/kick '])
  expect(lines('/wo')).toEqual(['/world '])
  expect(lines('/WHO')).toEqual(['/who '])
  expect(lines('/xyz')).toEqual([])
})

it('leaves what is said alone', () => {
  expect(lines('hello /w')).toEqual([])
  expect(lines('')).toEqual([])
})

it('shows how a command is used, and completes people where it wants one', () => {
  expect(completeLine('/kick ', commands, people)[0]?.label).toBe('/kick <player> [reason]')
  expect(lines('/kick a')).toEqual(['/kick a', '/kick Ann ', '/kick "Anna Lee" '])
  expect(lines('/kick Ann r')).toEqual(['/kick Ann r'])
  expect(lines('/who ')).toEqual(['/who '])
})
