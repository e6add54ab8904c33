import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { hideSecrets, readWords } from '../../../play/state/command-line.ts'
import { completeLine } from '../../../play/state/complete-line.ts'

const commands = [
  { name: 'who', usage: '/who', description: 'Lists the players in the game.' },
  { name: 'world', usage: '/world', description: 'Tells about the world.' },
  { name: 'kick', usage: '/kick <player> [reason]', description: 'Sends somebody away.' },
  { name: 'mute', usage: '/mute <player> <duration> <reason> or /mute <player> <reason>', description: 'Silences.' },
  { name: 'rbac:setgroup', usage: '/rbac:setgroup <email> <groups>', description: 'Adds to groups.' },
  { name: 'zone:enable', usage: '/zone:enable <id>', description: 'Turns a zone on.' },
  {
    name: 'adduser',
    usage: '/adduser <email> <password> [displayName] [groups] [force]',
    description: 'Adds an account.',
  },
  { name: 'why', usage: '/why <email> <permission-or-command> [verified-or-unverified]', description: 'Says why.' },
]
const known = { commands, people: ['Ann', 'Anna Lee', 'bob'], groups: ['builder', 'moderator'], zones: ['The Inn'] }
const lines = (line: string) => completeLine(line, known).options.map((one) => one.line)

it('completes commands by the start of their name', () => {
  expect(lines('/w')).toEqual(['/who ', '/world ', '/why '])
  expect(lines('/wo')).toEqual(['/world '])
  expect(lines('/WHO')).toEqual(['/who '])
  expect(lines('/xyz')).toEqual([])
})

it('does not complete chat', () => {
  expect(lines('hello /w')).toEqual([])
  expect(lines('')).toEqual([])
})

it('shows the usage of a command, and completes players for its argument', () => {
  expect(completeLine('/kick ', known).usage).toEqual({ label: '/kick <player> [reason]', description: 'Sends somebody away.' })
  expect(lines('/kick a')).toEqual(['/kick Ann ', '/kick "Anna Lee" '])
  expect(lines('/kick "Anna L')).toEqual(['/kick "Anna Lee" '])
  expect(lines('/kick Ann r')).toEqual([])
  expect(lines('/who ')).toEqual([])
})

it('completes durations, the unit of a number first', () => {
  expect(lines('/mute "Anna Lee" ')).toEqual(['10m', '1h', '1d', '7d', '4w'].map((one) => `/mute "Anna Lee" ${one} `))
  expect(lines('/mute bob 15')).toEqual(['15s', '15m', '15h', '15d', '15w'].map((one) => `/mute bob ${one} `))
  expect(completeLine('/mute bob 1', known).options[1]?.description).toBe('1 minute')
  expect(lines('/mute bob 10m ')).toEqual([])
})

it('completes groups, in a list behind the last comma, and zones', () => {
  expect(lines('/rbac:setgroup bob b')).toEqual(['/rbac:setgroup bob builder'])
  expect(lines('/rbac:setgroup bob builder,')).toEqual(['/rbac:setgroup bob builder,moderator'])
  expect(lines('/zone:enable ')).toEqual(['/zone:enable "The Inn" '])
})

it('completes the fixed words of an argument', () => {
  expect(lines('/adduser a@b.c hunter2 Name builder f')).toEqual(['/adduser a@b.c hunter2 Name builder force '])
  expect(lines('/why bob world.build ')).toEqual(['/why bob world.build verified ', '/why bob world.build unverified '])
})

it('hides the password of a command, quoted or not', () => {
  expect(hideSecrets('/adduser a@b.c hunter2 Name', commands)).toBe('/adduser a@b.c •••••• Name')
  expect(hideSecrets('/ADDUSER a@b.c "two words" Name', commands)).toBe('/ADDUSER a@b.c •••••• Name')
  expect(hideSecrets('/kick bob password', commands)).toBe('/kick bob password')
})

it('parses any line, and completes it to one with the same start', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '"', ' ', '\\', ',', '1', '~') }), (rest) => {
      const line = `/mute ${rest}`
      const { typed, from } = readWords(line)
      expect(from).toBeLessThanOrEqual(line.length)
      expect(typed.length).toBeLessThanOrEqual(line.length - from)
      for (const option of completeLine(line, known).options) expect(option.line.startsWith(line.slice(0, from))).toBe(true)
    }),
  )
})
