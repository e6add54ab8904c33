import { describe, expect, it } from '@jest/globals'
import { readOauthSettings } from '../../../../../shared/domain/auth/oauth/oauth-config.ts'
import { holdsAllClaims, readClaim, readIdentity } from '../../../../../shared/domain/auth/oauth/oauth-identity.ts'
import { oauthServer } from '../../../../support/auth/oauth-sign-in.ts'
import { createFixedConfigs } from '../../../../support/configs/fixed-configs.ts'

const settingsFor = (oauth: object = {}) => {
  const { auth } = createFixedConfigs({ server: oauthServer('https://issuer.example', oauth) }).get('server.yaml')
  return readOauthSettings(auth.oauth, () => 'secret')
}
const identityOf = (...sources: Readonly<Record<string, unknown>>[]) => readIdentity('s', sources, settingsFor())

describe('readClaim', () => {
  it('reads a claim by its full name, including dots, before it tries a path', () => {
    expect(readClaim({ 'a.b': 1, a: { b: 2 } }, 'a.b')).toBe(1)
    expect(readClaim({ a: { b: 2 } }, 'a.b')).toBe(2)
    expect(readClaim({ a: [{ b: 2 }] }, 'a.b')).toBeUndefined()
    expect(readClaim({ a: [{ b: 2 }] }, 'a.0.b')).toBe(2)
    expect(readClaim({ emails: ['a@x.y'] }, 'emails.0')).toBe('a@x.y')
    expect(readClaim({ emails: ['a@x.y'] }, 'emails.length')).toBeUndefined()
  })

  it.each(['__proto__', 'constructor', 'a.constructor.name', 'toString', '', '.'])(
    'finds nothing under a missing name: %j',
    (name) => {
      expect(readClaim({ a: {} }, name)).toBeUndefined()
    },
  )
})

describe('readIdentity', () => {
  it('prefers the ID token over userinfo', () => {
    expect(identityOf({ email: 'a@x.y', email_verified: true, name: 'A' }, { email: 'b@x.y', name: 'B' })).toMatchObject({
      email: 'a@x.y',
      emailVerified: true,
      displayName: 'A',
    })
  })

  it.each([
    ['beside it', [{ email: 'a@x.y', email_verified: true }], true],
    ['of the same email at userinfo', [{ email: 'a@x.y' }, { email: 'a@x.y', email_verified: true }], true],
    ['of another email at userinfo', [{ email: 'a@x.y' }, { email: 'b@x.y', email_verified: true }], false],
    [
      'at userinfo, against the ID token',
      [
        { email: 'a@x.y', email_verified: false },
        { email: 'a@x.y', email_verified: true },
      ],
      false,
    ],
    ['of nothing', [{ email_verified: true }, { email: 'a@x.y' }], false],
    ['as a text', [{ email: 'a@x.y', email_verified: 'true' }], true],
    ['as a number', [{ email: 'a@x.y', email_verified: 1 }], true],
    ['as a digit', [{ email: 'a@x.y', email_verified: '1' }], true],
    ['as a false text', [{ email: 'a@x.y', email_verified: 'false' }], false],
    ['as zero', [{ email: 'a@x.y', email_verified: '0' }], false],
    ['as a list', [{ email: 'a@x.y', email_verified: [true] }], false],
    ['that is absent', [{ email: 'a@x.y' }], false],
  ])('treats a verification %s', (_what, sources, verified) => {
    expect(identityOf(...sources)).toMatchObject({ email: 'a@x.y', emailVerified: verified })
  })

  it('finds a name when the usual claim is absent', () => {
    expect(identityOf({ preferred_username: 'ann' }).displayName).toBe('ann')
    expect(identityOf({ name: ' ', nickname: 'Annie' }).displayName).toBe('Annie')
    expect(identityOf({ name: 7 }).displayName).toBeUndefined()
  })

  it('uses the claim names of the config', () => {
    const settings = settingsFor({ claims: { email: 'upn', emailVerified: 'xms_edov', displayName: 'nick' } })
    expect(readIdentity('s', [{ upn: 'a@x.y', xms_edov: true, nick: 'A', name: 'B' }], settings)).toMatchObject({
      email: 'a@x.y',
      emailVerified: true,
      displayName: 'A',
    })
  })

  it('reads groups only when they are configured, and at most a limited number', () => {
    expect(identityOf({ groups: ['a'] }).groupValues).toBeUndefined()
    const settings = settingsFor({ groupsClaim: { claim: 'groups', mapping: {} } })
    const groups = Array.from({ length: 2000 }, (_, at) => `g${at}`)
    expect(readIdentity('s', [{ groups: ['a', 'a', ...groups, 'x'.repeat(300)] }], settings).groupValues).toHaveLength(500)
  })
})

describe('the groups claim', () => {
  const readGroups = (...sources: Readonly<Record<string, unknown>>[]) =>
    readIdentity('s', sources, settingsFor({ groupsClaim: { claim: 'groups', mapping: {} } }))

  it.each([
    ['a list', ['a', 'b'], ['a', 'b']],
    ['a list of numbers', [1, 'b'], ['1', 'b']],
    ['the keys of an object', { a: { 'org.1': 'x' }, b: true, c: false, d: null }, ['a', 'b']],
    ['one text', 'a', ['a']],
    ['a text with commas, as one and in parts', 'a, b', ['a, b', 'a', 'b']],
    ['nothing', undefined, []],
  ])('is read as %s', (_what, groups, values) => {
    expect(readGroups({ groups })).toMatchObject({ groupValues: values })
    expect(readGroups({ groups }).groupsFault).toBeUndefined()
  })

  it.each([
    ['an overage of Entra', { _claim_names: { groups: 'src1' }, _claim_sources: {} }, 'too many groups'],
    ['an overage of the implicit flow', { hasgroups: 'true' }, 'too many groups'],
    ['entries that are not text', { groups: [{ name: 'a' }, 'b'] }, 'not every entry'],
    ['entries that are too long', { groups: ['x'.repeat(300)] }, 'not every entry'],
  ])('reports %s', (_what, claims, fault) => {
    expect(readGroups(claims).groupsFault).toContain(fault)
  })

  it('is not reported as an overage when userinfo has it', () => {
    expect(readGroups({ hasgroups: true }, { groups: ['a'] })).toMatchObject({ groupValues: ['a'] })
    expect(readGroups({ hasgroups: true }, { groups: ['a'] }).groupsFault).toBeUndefined()
  })
})

describe('holdsAllClaims', () => {
  it('is false only when a configured claim is missing', () => {
    const all = { email: 'a@x.y', email_verified: false, name: 'A' }
    expect(holdsAllClaims(all, settingsFor())).toBe(true)
    for (const key of Object.keys(all)) expect(holdsAllClaims({ ...all, [key]: undefined }, settingsFor())).toBe(false)
    expect(holdsAllClaims(all, settingsFor({ groupsClaim: { claim: 'groups', mapping: {} } }))).toBe(false)
  })
})
