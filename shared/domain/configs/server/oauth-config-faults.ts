import type { Fault } from '../../../kernel/errors.ts'
import { findNearName } from '../../../kernel/find-near-name.ts'
import { hostOf, isLoopback } from '../../../kernel/loopback.ts'
import type { OauthConfig } from '../../auth/oauth/oauth-config.ts'
import { describeReturnUrlProblem } from '../../auth/provider/return-url.ts'
import { builtInAdmin } from '../../permissions/groups-config.ts'
import type { OtherConfigs } from '../declare/config-values.ts'
import type { ServerConfig } from './server-config.ts'

const section = '/auth/oauth'
const always = ['issuer', 'clientId', 'clientSecretEnv', 'redirectUri'] as const
const withOauth2 = [...always, 'authorizationUrl', 'tokenUrl', 'userinfoUrl'] as const
const addresses = ['issuer', 'redirectUri', 'authorizationUrl', 'tokenUrl', 'userinfoUrl'] as const

/** Why `text` is not an allowed address: only HTTPS is, except for a provider on this machine. */
const describeAddressProblem = (text: string): string | undefined => {
  if (!URL.canParse(text)) return 'is not a URL: write it as https://…'
  const { protocol, hostname, username, password, hash } = new URL(text)
  if (username || password) return 'must not contain a user name or password'
  if (hash) return 'must not contain a fragment'
  if (protocol === 'https:') return undefined
  if (protocol !== 'http:') return 'must begin with https://'
  if (isLoopback(hostOf({ hostname }))) return undefined
  return 'is plain HTTP, which others can read and change on the way: use https:// (http:// is for this machine only)'
}

/** Why an issuer is not allowed: accounts separate it from `sub` by a bar, and discovery must compare it. */
const describeIssuerProblem = (issuer: string): string | undefined => {
  if (issuer.includes('|')) return 'must not contain "|", which separates it from the subject in accounts'
  if (!/\/\.well-known(?:\/|$)/i.test(issuer)) return undefined
  return 'is the address of the metadata: end it before /.well-known, so that it matches the issuer in the metadata'
}

/** Variables of the server or its host. Named as the client secret, one would be sent to an address of the config. */
const ownVariable = /^(?:AWS_|DYNAMODB_|REDIS_URL$)/i

const findOddNames = ({ issuer, clientSecretEnv }: OauthConfig): Fault[] => {
  const problem = issuer === undefined ? undefined : describeIssuerProblem(issuer)
  return [
    ...(problem === undefined ? [] : [{ pointer: `${section}/issuer`, message: problem }]),
    ...(clientSecretEnv !== undefined && ownVariable.test(clientSecretEnv)
      ? [
          {
            pointer: `${section}/clientSecretEnv`,
            message: 'names a variable with another purpose: use a separate one',
          },
        ]
      : []),
  ]
}

const findMissing = (oauth: OauthConfig): Fault[] => {
  const required = oauth.type === 'oauth2' ? withOauth2 : always
  const missing = required.filter((key) => oauth[key] === undefined)
  const faults = missing.map((key) => ({
    pointer: `${section}/${key}`,
    message: `is required while auth.provider is oauth${oauth.type === 'oauth2' ? ' and its type oauth2' : ''}`,
  }))
  if (oauth.allowedReturnUrls.length > 0) return faults
  const message = 'lists no address: add at least one that may receive a browser with its token'
  return [...faults, { pointer: `${section}/allowedReturnUrls`, message }]
}

const findBadAddresses = (oauth: OauthConfig): Fault[] => [
  ...addresses.flatMap((key) => {
    const problem = oauth[key] === undefined ? undefined : describeAddressProblem(oauth[key])
    return problem === undefined ? [] : [{ pointer: `${section}/${key}`, message: problem }]
  }),
  ...(oauth.redirectUri?.includes('?')
    ? [{ pointer: `${section}/redirectUri`, message: 'must not contain a query: providers compare the address exactly' }]
    : []),
  ...oauth.allowedReturnUrls.flatMap((entry, index) => {
    const problem = describeReturnUrlProblem(entry)
    return problem === undefined ? [] : [{ pointer: `${section}/allowedReturnUrls/${index}`, message: problem }]
  }),
]

const findOddScopes = ({ type, scopes }: OauthConfig): Fault[] => {
  if (type === 'oauth2' || scopes.split(' ').includes('openid')) return []
  return [{ pointer: `${section}/scopes`, message: 'must contain openid: without it there is no ID token to check' }]
}

const escapePointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

const findUnknownGroups = ({ groupsClaim }: OauthConfig, others: OtherConfigs): Fault[] => {
  const groups = others.find('groups.yaml')
  if (groups === undefined || groupsClaim === undefined) return []
  const known = new Set([builtInAdmin.name, ...groups.defaultGroups, ...groups.groups.map(({ name }) => name)])
  return Object.entries(groupsClaim.mapping).flatMap(([value, group]): Fault[] => {
    if (known.has(group)) return []
    const nearest = findNearName(group, [...known])
    const hint = nearest === undefined ? '' : `: did you mean "${nearest}"?`
    const message = `names the group "${group}", which groups.yaml does not define${hint}`
    return [{ pointer: `${section}/groupsClaim/mapping/${escapePointer(value)}`, message }]
  })
}

/** Faults that the schema of `auth.oauth` cannot express. Missing keys are faults only while the provider is `oauth`. */
export const findOauthFaults = ({ auth }: Pick<ServerConfig, 'auth'>, others: OtherConfigs): readonly Fault[] => [
  ...(auth.provider === 'oauth' ? [...findMissing(auth.oauth), ...findOddScopes(auth.oauth)] : []),
  ...findBadAddresses(auth.oauth),
  ...findOddNames(auth.oauth),
  ...findUnknownGroups(auth.oauth, others),
]
