import { describe, expect, it } from '@jest/globals'
import { parseAdduserArguments } from '../../../tools/adduser/adduser-arguments.ts'

const nothing = { displayName: undefined, groups: undefined, force: false }

describe('the arguments of adduser', () => {
  it.each([
    [['ann@example.com', 'correct horse'], { ...nothing, email: 'ann@example.com', password: 'correct horse' }],
    [['ann@example.com', '-'], { ...nothing, email: 'ann@example.com', password: undefined }],
    [['ann@example.com', 'pw', 'Ann Lee'], { ...nothing, email: 'ann@example.com', password: 'pw', displayName: 'Ann Lee' }],
    [['a@b', 'pw', '--groups', 'admin, builder'], { ...nothing, email: 'a@b', password: 'pw', groups: ['admin', 'builder'] }],
    [['--groups=admin', 'a@b', 'pw'], { ...nothing, email: 'a@b', password: 'pw', groups: ['admin'] }],
    [['a@b', 'pw', 'Ann', '--force'], { ...nothing, email: 'a@b', password: 'pw', displayName: 'Ann', force: true }],
    [['a@b', '--', '--secret'], { ...nothing, email: 'a@b', password: '--secret' }],
  ])('reads %j', (args, value) => {
    expect(parseAdduserArguments(args)).toEqual({ ok: true, value })
  })

  it.each([
    [[]],
    [['a@b']],
    [['a@b', 'pw', 'Ann', 'Lee']],
    [['a@b', 'pw', '--group', 'admin']],
    [['a@b', 'pw', '--groups']],
    [['a@b', 'pw', '--groups', 'admin,,builder']],
    [['a@b', 'pw', '--groups', '']],
    [['a@b', '--secret']],
  ])('refuses %j and repeats nothing of it', (args) => {
    const parsed = parseAdduserArguments(args)
    expect(parsed).toMatchObject({ ok: false, reason: expect.stringMatching(/\.$/) })
    expect(JSON.stringify(parsed)).not.toMatch(/secret|pw/)
  })
})
