import { describe, expect, it } from '@jest/globals'
import { holdsAllClaims, readClaim, readIdentity } from '../../../../shared/auth/oauth/oauth-identity.ts'
import { readOauthSettings } from '../../../../shared/auth/oauth/oauth-settings.ts'
import { oauthServer } from '../../../support/auth/oauth-sign-in.ts'
import { createFixedConfigs } from '../../../support/configs/fixed-configs.ts'

const settingsFor = (oauth: object = {}) => {
  const { auth } = createFixedConfigs({ server: oauthServer('https://issuer.example', oauth) }).get('server.yaml')
  return readOauthSettings(auth.oauth, () => 'secret')
}
const identityOf = (...sources: Readonly<Record<string, unknown>>[]) => readIdentity('s', sources, settingsFor())

describe('readClaim', () => {
  it('reads a claim by its name, dots and all, before it takes them for a path', () => {
    expect(readClaim({ 'a.b': 1, a: { b: 2 } }, 'a.b')).toBe(1)
    expect(readClaim({ a: { b: 2 } }, 'a.b')).toBe(2)
    expect(readClaim({ a: [{ b: 2 }] }, 'a.b')).toBeUndefined()
  })

  it.each(['__proto__', 'constructor', 'a.constructor.name', 'toString', '', '.'])(
    'finds nothing in what was not told: %j',
    (name) => {
      expect(readClaim({ a: {} }, name)).toBeUndefined()
    },
  )
})

describe('readIdentity', () => {
  it('takes the ID token’s word before that of userinfo', () => {
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
    ['as a text', [{ email: 'a@x.y', email_verified: 'true' }], false],
    ['as a number', [{ email: 'a@x.y', email_verified: 1 }], false],
    ['that is absent', [{ email: 'a@x.y' }], false],
  ])('takes a verification %s', (_what, sources, verified) => {
    expect(identityOf(...sources)).toMatchObject({ email: 'a@x.y', emailVerified: verified })
  })

  it('finds a name where the usual one is absent', () => {
    expect(identityOf({ preferred_username: 'ann' }).displayName).toBe('ann')
    expect(identityOf({ name: ' ', nickname: 'Annie' }).displayName).toBe('Annie')
    expect(identityOf({ name: 7 }).displayName).toBeUndefined()
  })

  it('goes by the names that the config gives', () => {
    const settings = settingsFor({ claims: { email: 'upn', emailVerified: 'xms_edov', displayName: 'nick' } })
    expect(readIdentity('s', [{ upn: 'a@x.y', xms_edov: true, nick: 'A', name: 'B' }], settings)).toMatchObject({
      email: 'a@x.y',
      emailVerified: true,
      displayName: 'A',
    })
  })

  it('reads groups only where they are asked for, and no endless list of them', () => {
    expect(identityOf({ groups: ['a'] }).groupValues).toBeUndefined()
    const settings = settingsFor({ groupsClaim: { claim: 'groups', mapping: {} } })
    const groups = Array.from({ length: 2000 }, (_, at) => `g${at}`)
    expect(readIdentity('s', [{ groups: ['a', 'a', ...groups, 'x'.repeat(300)] }], settings).groupValues).toHaveLength(500)
  })
})

describe('holdsAllClaims', () => {
  it('asks for userinfo only where something is missing', () => {
    const all = { email: 'a@x.y', email_verified: false, name: 'A' }
    expect(holdsAllClaims(all, settingsFor())).toBe(true)
    for (const key of Object.keys(all)) expect(holdsAllClaims({ ...all, [key]: undefined }, settingsFor())).toBe(false)
    expect(holdsAllClaims(all, settingsFor({ groupsClaim: { claim: 'groups', mapping: {} } }))).toBe(false)
  })
})
