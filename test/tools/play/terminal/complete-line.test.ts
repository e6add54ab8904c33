import { describe, expect, it } from '@jest/globals'
import { commands } from '../../../../realtime/commands/commands.ts'
import { usageOf } from '../../../../realtime/commands/executor/bind-arguments.ts'
import { localCommands } from '../../../../tools/play/commands/local-commands.ts'
import { completeLine } from '../../../../tools/play/terminal/complete-line.ts'

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
    { name: 'grant', usage: '/grant <player> <group-or-permission> or /grant <player> <group-or-permission> <duration>' },
    { name: 'unban', usage: '/unban <player-or-address>' },
    { name: 'zone:enable', usage: '/zone:enable <id>' },
    { name: 'config:reload', usage: '/config:reload <config>' },
    { name: 'rollback', usage: '/rollback <confirm> or /rollback <player> <duration> [radius]' },
    { name: 'place', usage: '/place <x> <y> <z> <type>' },
  ],
  players: ['Ann "B"', 'anton', 'Zoë'],
  groups: ['admin', 'builder', 'moderator'],
  emails: ['ann@example.com'],
  zones: ['Town', 'The Inn'],
  configs: ['rbac', 'groups.yaml', 'server.yaml'],
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
    ['/place ', ['~']],
    ['/grant anton b', ['builder']],
    ['/grant anton zone.b', ['zone.build']],
    ['/grant anton mod', ['moderator']],
    ['/grant anton builder 1', ['10m', '1h', '1d']],
    ['/why anton world.b', ['world.build']],
    ['/unban an', ['anton']],
    ['/zone:enable t', ['Town']],
    ['/zone:enable ', ['Town', '"The Inn"']],
    ['/config:reload se', ['server.yaml']],
    ['/rollback c', ['confirm', 'cancel']],
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

  it('offers something for every kind of argument but those that only the player knows', () => {
    const free = ['text', 'reason', 'password', 'displayName', 'n', 'radius', 'blocks']
    const usages = [...commands.map(usageOf), ...localCommands.map(({ usage }) => usage)]
    const kinds = new Set(usages.flatMap((usage) => [...usage.matchAll(/[<[]([^>\]]+)[>\]]/g)].map(([, kind = '']) => kind)))
    const offers = (kind: string) =>
      completeLine({ ...source, commands: [{ name: 'try', usage: `/try <${kind}>` }] }, '/try ')[0].length > 0
    expect([...kinds].filter((kind) => !offers(kind)).sort()).toEqual(free.sort())
  })

  it('replaces only the word that is being typed', () => {
    expect(completeLine(source, '/why anton wh')).toEqual([['why'], 'wh'])
  })
})
