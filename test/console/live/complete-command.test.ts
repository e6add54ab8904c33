import { describe, expect, it } from '@jest/globals'
import { completeCommand, findCommandFault } from '../../../console/live/complete-command.ts'
import { hideSecrets } from '../../../console/live/read-command.ts'

const commands = [
  { name: 'tp', usage: '/tp <x> <y> <z> or /tp <player>', description: '' },
  { name: 'ban', usage: '/ban <player-or-address> <duration> <reason> or /ban <player-or-address> <reason>', description: '' },
  { name: 'rbac:setgroup', usage: '/rbac:setgroup <email> <groups>', description: '' },
  { name: 'adduser', usage: '/adduser <email> <password> [displayName] [groups]', description: '' },
]
const known = {
  players: ['Ann', 'Bo "b" Lee'],
  emails: ['ann@example.com'],
  commands: commands.map(({ name }) => name),
  groups: ['admin', 'builder'],
  configs: ['server.yaml'],
  zones: [],
}
const complete = (line: string) => completeCommand(line, commands, known)
const fault = (line: string) => findCommandFault(line, commands)

describe('completions of a line', () => {
  it('are commands by name, and none for a line of chat', () => {
    expect(complete('/T')).toEqual(['/tp'])
    expect(complete('/')).toHaveLength(commands.length)
    expect(complete('tp')).toEqual([])
    expect(complete('/nothing ')).toEqual([])
  })

  it('are players, places, durations and groups for the argument, in quotes if needed', () => {
    expect(complete('/tp ')).toEqual(['/tp ~', '/tp Ann', '/tp "Bo \\"b\\" Lee"'])
    expect(complete('/tp "bo')).toEqual(['/tp "Bo \\"b\\" Lee"'])
    expect(complete('/tp 1 ')).toEqual(['/tp 1 ~'])
    expect(complete('/ban "Bo \\"b\\" Lee" 1')).toEqual([
      '/ban "Bo \\"b\\" Lee" 10m',
      '/ban "Bo \\"b\\" Lee" 1h',
      '/ban "Bo \\"b\\" Lee" 1d',
    ])
    expect(complete('/rbac:setgroup ann@example.com admin,')).toEqual(['/rbac:setgroup ann@example.com admin,builder'])
    expect(complete('/rbac:setgroup ann@example.com admin')).toEqual([])
  })
})

describe('a fault of a line', () => {
  it('names the argument once its word is complete, and is absent if any form fits', () => {
    expect(fault('/rbac:setgroup ann ')).toMatch(/^email /)
    expect(fault('/rbac:setgroup ann')).toBeUndefined()
    expect(fault('/tp Ann ')).toBeUndefined()
    expect(fault('/tp ~-1.5 64 ~ ')).toBeUndefined()
    expect(fault('/tp 1 b 3 ')).toMatch(/^y /)
    expect(fault('/tp 1 2 3 4 ')).toMatch(/fewer arguments/)
    expect(fault('/ban Ann for shouting at people ')).toBeUndefined()
    expect(fault('/nothing ')).toMatch(/does not exist/)
    expect(fault('hello there ')).toBeUndefined()
  })
})

describe('a secret', () => {
  it('is never repeated, in quotes or not; the rest of the line is', () => {
    expect(hideSecrets('/adduser a@b.c "pass word" Ann', commands)).toBe('/adduser a@b.c •••• Ann')
    expect(hideSecrets('/ADDUSER a@b.c hunter22', commands)).toBe('/ADDUSER a@b.c ••••')
    expect(hideSecrets('/ban Ann shouting', commands)).toBe('/ban Ann shouting')
  })
})
