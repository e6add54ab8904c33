import { describe, expect, it } from '@jest/globals'
import { completeLine } from '../../../../infra/play/terminal/complete-line.ts'

const source = {
  commands: [
    { name: 'kick', usage: '/kick <player> [reason]' },
    { name: 'help', usage: '/help [command]' },
    { name: 'why', usage: '/why <email> <permission-or-command>' },
    { name: 'tp', usage: '/tp <x> <y> <z> or /tp <player>' },
    { name: 'rbac:setgroup', usage: '/rbac:setgroup <email> <groups>' },
    { name: 'rbac:listgroups', usage: '/rbac:listgroups' },
    { name: 'walk', usage: '/walk <north|south> [blocks]' },
    { name: 'adduser', usage: '/adduser <email> <password> [displayName] [groups]' },
    { name: 'place', usage: '/place <x> <y> <z> <type>' },
  ],
  players: ['Ann "B"', 'anton', 'Zoë'],
  groups: ['admin', 'builder', 'moderator'],
  emails: ['ann@example.com'],
  blocks: ['stone', 'stone_bricks', 'sand'],
}

describe('completion', () => {
  it.each([
    ['/k', ['/kick ']],
    ['/RBAC:', ['/rbac:setgroup ', '/rbac:listgroups ']],
    ['/nope', []],
    ['hello', []],
    ['/kick an', ['anton']],
    ['/kick "', ['"Ann \\"B\\""']],
    ['/kick ', ['"Ann \\"B\\""', 'anton', 'Zoë']],
    ['/kick anton ', []],
    ['/tp z', ['Zoë']],
    ['/help wh', ['why']],
    ['/why anton ki', ['kick']],
    ['/walk n', ['north']],
    ['/adduser x ', []],
    ['/place 1 ~ -3 sto', ['stone', 'stone_bricks']],
    ['/place s', []],
    ['/nope x', []],
    ['/why ann', ['ann@example.com']],
    ['/why AN', ['anton', 'ann@example.com']],
    ['/rbac:setgroup anton m', ['moderator']],
    ['/rbac:setgroup anton builder,', ['builder,admin', 'builder,moderator']],
    ['/rbac:setgroup anton builder,m', ['builder,moderator']],
    ['/adduser x y Ann B', ['builder']],
  ])('completes %j', (line, expected) => {
    expect(completeLine(source, line)[0]).toEqual(expected)
  })

  it('replaces only the word that is being typed', () => {
    expect(completeLine(source, '/why anton wh')).toEqual([['why'], 'wh'])
  })
})
