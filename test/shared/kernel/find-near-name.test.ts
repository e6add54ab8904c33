import { describe, expect, it } from '@jest/globals'
import { findNearName } from '../../../shared/kernel/find-near-name.ts'

const names = [
  'help',
  'who',
  'tp',
  'say',
  'save',
  'kick',
  'why',
  'world',
  'zones',
  'reload',
  'config:reload',
  'rbac:setgroup',
  'zone:enable',
]

describe('the nearest name', () => {
  it.each([
    ['hlep', 'help'],
    ['hepl', 'help'],
    ['hel', 'help'],
    ['helpp', 'help'],
    ['wo', 'who'],
    ['whom', 'who'],
    ['kcik', 'kick'],
    ['kik', 'kick'],
    ['relod', 'reload'],
    ['rbac:setgruop', 'rbac:setgroup'],
    ['rbacsetgroup', 'rbac:setgroup'],
    ['setgroup', 'rbac:setgroup'],
    ['setgruop', 'rbac:setgroup'],
    ['confg:relod', 'config:reload'],
    ['enable', 'zone:enable'],
    ['worlds', 'world'],
  ])('of %s is %s', (written, name) => expect(findNearName(written, names)).toBe(name))

  it.each(['', 'a', 'fly', 'give', 'home', 'gamemode', 'teleport', 'ban', 'op', 'x'.repeat(65), '日本語', 'deop', 'weather'])(
    'of %j does not exist',
    (written) => expect(findNearName(written, names)).toBeUndefined(),
  )

  it('does not exist without names', () => expect(findNearName('help', [])).toBeUndefined())
})
