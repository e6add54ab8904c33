import { afterEach, describe, expect, it } from '@jest/globals'
import { someHash } from '../../support/accounts/account-fixture.ts'
import { type OauthCheck, openOauthCheck } from './oauth-check.ts'

const issuer = 'https://id.example.org'
const groupsClaim = { claim: 'groups', mapping: { crew: 'builder', chief: 'staff' } }

let check: OauthCheck
const open = async (oauth: object = { groupsClaim }) => {
  check = await openOauthCheck(issuer, oauth)
  return check
}
afterEach(() => check.close())

const offline = (...args: readonly string[]) => check.run('check', '--offline', ...args)
const accountWith = (
  sub: string,
  groups: readonly string[],
  claimedGroups: readonly string[],
  mappedGroups: readonly string[] = [],
) => ({
  subject: `${issuer}|${sub}`,
  groups: ['player', ...groups],
  ...(mappedGroups.length > 0 && { mappedGroups: [...mappedGroups] }),
  ...(claimedGroups.length > 0 && { claimedGroups: [...claimedGroups] }),
})

describe('the mapping and known accounts in npm run oauth -- check', () => {
  it('are listed with the group of each value and its permissions', async () => {
    await open()
    const { code, lines } = await offline()
    expect(code).toBe(0)
    expect(lines).toContain('"crew" in groups → builder: may world.build, zone.build')
    expect(lines).toContain('Other values have no effect.')
  })

  it('show the groups that each account would gain and lose by its last claim, and do not change', async () => {
    const { plant, accountStore, listAudit } = await open()
    await plant('ann@example.com', accountWith('1', [], ['crew']))
    await plant('bob@example.com', accountWith('2', ['staff'], ['crew'], ['staff']))
    await plant('kim@example.com', accountWith('3', ['builder'], ['crew'], ['builder']))
    const before = await accountStore.listAccounts({ limit: 200 })
    const { code, lines } = await offline()
    expect(code).toBe(0)
    expect(lines).toEqual(
      expect.arrayContaining([
        'ann@example.com gains builder',
        'bob@example.com gains builder; loses staff',
        '1 more account has signed in here before, with no change.',
      ]),
    )
    expect(await accountStore.listAccounts({ limit: 200 })).toEqual(before)
    expect(await listAudit()).toEqual([])
  })

  it('include the accounts whose sign-in would be refused when unmapped users are denied', async () => {
    const { plant } = await open({ groupsClaim: { ...groupsClaim, denyUnmapped: true } })
    await plant('ann@example.com', accountWith('1', ['builder'], ['gone'], ['builder']))
    const { lines } = await offline()
    expect(lines).toContainEqual(expect.stringMatching(/^ann@example.com loses builder; cannot sign in: /))
    expect(lines).toContain('A user without any of these values cannot sign in.')
  })

  it('lose all mapped groups when no claim is mapped', async () => {
    const { plant } = await open({})
    await plant('ann@example.com', accountWith('1', ['staff'], ['chief'], ['staff']))
    expect((await offline()).lines).toContain('ann@example.com loses staff')
  })

  it('show no changes for an account with an unknown claim, except groups no value maps to', async () => {
    const { plant } = await open()
    await plant('new@example.com', accountWith('1', [], []))
    await plant('old@example.com', accountWith('2', ['config-writer'], [], ['config-writer']))
    const { lines } = await offline()
    expect(lines).toContain('old@example.com loses config-writer, because no value maps to it any longer')
    expect(lines).toContainEqual(expect.stringMatching(/^2 without a known claim.*: new@example.com, old@example.com$/))
  })

  it('include accounts of another provider by name, and a count of those without one', async () => {
    const { plant } = await open()
    await plant('ann@example.com', { subject: 'https://old.example.org|1' })
    await plant('bob@example.com')
    const { lines } = await offline()
    expect(lines).toContainEqual(expect.stringMatching(/^1 bound to another provider.*: ann@example.com$/))
    expect(lines).toContainEqual(expect.stringMatching(/^1 that have never signed in through this provider/))
  })

  it('include more accounts than fit on one page', async () => {
    const { plant } = await open()
    for (let at = 0; at < 201; at += 1)
      await plant(`p${at}@example.com`, accountWith(String(at), ['builder'], ['crew'], ['builder']))
    expect((await offline()).lines).toContain('201 more accounts have signed in here before, with no change.')
  })

  it('include the remaining administrators, with a warning when there are none', async () => {
    const { plant } = await open()
    await plant('ann@example.com', accountWith('1', ['staff'], ['crew'], ['staff']))
    expect((await offline()).printed).toMatch(/note {2}No known account could administer[\s\S]*Administrators after that: none/)
    await plant('boss@example.com', { groups: ['staff'], passwordHash: someHash })
    const { printed } = await offline()
    expect(printed).toContain('Administrators after that: boss@example.com\n')
    expect(printed).not.toContain('No known account')
  })
})

describe('a sign-in with given claims in npm run oauth -- check', () => {
  it.each([
    ['ann@example.com', 'chief', 'ann@example.com gains staff; loses builder'],
    ['ann@example.com', 'crew,other', 'ann@example.com keeps its groups'],
    ['bob@example.com', '', 'bob@example.com is joined by its verified email'],
    ['new@example.com', 'crew, chief', 'new@example.com is new, in player, builder, staff'],
  ])('%s with the values "%s"', async (email, values, line) => {
    const { plant } = await open()
    await plant('ann@example.com', accountWith('1', ['builder'], ['crew'], ['builder']))
    await plant('bob@example.com')
    expect((await offline('--email', email, '--values', values)).lines).toContain(line)
  })

  it('uses the claims as the provider sends them, each judged as at a sign-in', async () => {
    const { plant, files } = await open()
    await plant('ann@example.com', accountWith('ann-1', [], ['crew']))
    await plant('bob@example.com')
    const claims = [
      { iss: issuer, sub: 'ann-1', email: 'renamed@example.com', email_verified: true, groups: ['chief'] },
      { sub: 'bob-1', email: 'bob@example.com', email_verified: false, groups: 'crew' },
      { sub: 'nameless' },
    ]
    files.set('claims.json', JSON.stringify(claims))
    const { code, lines } = await offline('--claims', 'claims.json')
    expect(code).toBe(2)
    expect(lines).toContain('renamed@example.com gains staff')
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^FAULT bob@example.com cannot sign in: there is an account of that email, which is not verified there/,
      ),
    )
    expect(lines).toContainEqual(expect.stringMatching(/^FAULT nameless cannot sign in: .*sent no email/))
  })

  it.each([
    ['is missing', undefined, 'no such file'],
    ['is not JSON', 'sub: 1', 'not a JSON object'],
    ['has no subject', '{"email":"a@example.com"}', '"sub" is missing'],
  ])('exits with 2 for a file of claims that %s', async (_what, text, reason) => {
    const { files } = await open()
    if (text !== undefined) files.set('claims.json', text)
    expect(await offline('--claims', 'claims.json')).toMatchObject({ code: 2, complained: expect.stringContaining(reason) })
  })

  it('exits with 2 and the reason when a sign-in with the claims of a file is refused', async () => {
    const { plant, files } = await open()
    await plant('ann@example.com')
    files.set('claims.json', JSON.stringify({ sub: '9', email: 'ann@example.com', email_verified: 'false', hasgroups: true }))
    const refused = await offline('--claims', 'claims.json')
    expect(refused.code).toBe(2)
    expect(refused.lines).toContainEqual(expect.stringMatching(/^FAULT ann@example.com cannot sign in: .*not verified there/))
    expect(refused.lines).toContainEqual(expect.stringMatching(/^note {2}ann@example.com: .*too many groups/))
    files.set('claims.json', JSON.stringify({ sub: '9', email: 'ann@example.com', email_verified: '1', groups: 'crew,other' }))
    const joined = await offline('--claims', 'claims.json')
    expect(joined.code).toBe(0)
    expect(joined.lines).toContainEqual(expect.stringMatching(/^ann@example.com gains builder; is joined by its verified email/))
  })
})
