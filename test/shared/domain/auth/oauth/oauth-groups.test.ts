import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { issuerClient } from '../../../../support/auth/issuer-client.ts'
import { createOauthFixture, type OauthFixture } from '../../../../support/auth/oauth-fixture.ts'
import { type OddIssuer, openOddIssuer } from '../../../../support/auth/odd-issuer.ts'

const notAllowed = { kind: 'forbidden', slug: 'account-not-allowed' }
const mapping = { '/builders': 'builder', '/staff': 'staff', '/admins': 'admin' }
const ann = { sub: 'ann-1', email: 'ann@example.com', email_verified: true, name: 'Ann' }

describe('groups from a claim', () => {
  let issuer: OddIssuer
  let fixture: OauthFixture
  beforeEach(async () => {
    issuer = await openOddIssuer(issuerClient.id)
    fixture = await createOauthFixture(issuer.origin, { groupsClaim: { claim: 'groups', mapping } })
  })
  afterEach(async () => {
    await fixture.close()
    await issuer.close()
  })
  const groupsOf = async (claims: object) => {
    issuer.setPerson({ ...ann, ...claims })
    return (await fixture.signIn(issuer.answer)).account.groups
  }

  it.each<[string, object, readonly string[]]>([
    ['a list', { groups: ['/builders', '/guests', '/staff'] }, ['player', 'builder', 'staff']],
    ['one value', { groups: '/builders' }, ['player', 'builder']],
    ['nothing', {}, ['player']],
    ['an empty list', { groups: [] }, ['player']],
    ['null', { groups: null }, ['player']],
    ['values that are not text', { groups: [7, null, { '/admins': true }, ['/admins'], '/builders'] }, ['player', 'builder']],
    ['the keys of an object', { groups: { '/admins': true, '/builders': false } }, ['player', 'admin']],
    ['values in a text', { groups: '/admins, /builders' }, ['player', 'admin', 'builder']],
    ['names of every object', { groups: ['__proto__', 'constructor', 'toString'] }, ['player']],
    ['another case', { groups: ['/ADMINS'] }, ['player']],
  ])('come from %s', async (_what, claims, expected) => {
    expect(await groupsOf(claims)).toEqual(expected)
  })

  it.each<[string, object]>([
    ['realm_access.roles', { realm_access: { roles: ['/staff'] } }],
    ['https://example.com/roles', { 'https://example.com/roles': ['/staff'] }],
    ['resource_access.game.roles', { resource_access: { game: { roles: ['/staff'] } } }],
  ])('come from the claim %s', async (claim, claims) => {
    fixture.reconfigure(issuer.origin, { groupsClaim: { claim, mapping } })
    expect(await groupsOf(claims)).toEqual(['player', 'staff'])
  })

  it('come from userinfo when they are only there', async () => {
    issuer.be({ claims: { groups: undefined } })
    expect(await groupsOf({ groups: ['/staff'] })).toEqual(['player', 'staff'])
  })

  it('come from the ID token when both have them', async () => {
    issuer.be({ claims: { groups: ['/builders'] }, userinfo: { ...ann, groups: ['/admins'] } })
    expect(await groupsOf({})).toEqual(['player', 'builder'])
  })

  it('are decided at each sign-in, by the current mapping', async () => {
    expect(await groupsOf({ groups: ['/staff', '/builders'] })).toEqual(['player', 'staff', 'builder'])
    expect(await groupsOf({ groups: ['/builders'] })).toEqual(['player', 'builder'])
    fixture.reconfigure(issuer.origin, { groupsClaim: { claim: 'groups', mapping: { '/builders': 'staff' } } })
    expect(await groupsOf({ groups: ['/builders'] })).toEqual(['player', 'staff'])
    fixture.reconfigure(issuer.origin)
    expect(await groupsOf({ groups: ['/builders'] })).toEqual(['player'])
  })

  it('are required to sign in with denyUnmapped', async () => {
    fixture.reconfigure(issuer.origin, { groupsClaim: { claim: 'groups', mapping, denyUnmapped: true } })
    await expect(groupsOf({ groups: ['/guests'] })).rejects.toMatchObject(notAllowed)
    await expect(groupsOf({})).rejects.toMatchObject(notAllowed)
    expect((await fixture.accountStore.listAccounts({ limit: 10 })).accounts).toEqual([])
    expect(await groupsOf({ groups: ['/staff'] })).toEqual(['player', 'staff'])
    await expect(groupsOf({ groups: ['/guests'] })).rejects.toMatchObject(notAllowed)
    expect(await fixture.accountStore.findByEmail('ann@example.com')).toMatchObject({ groups: ['player'] })
  })
})
