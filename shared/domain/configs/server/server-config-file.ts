import type { Fault } from '../../../kernel/errors.ts'
import { findNearName } from '../../../kernel/find-near-name.ts'
import { hostOf, isLoopback, isPlainLoopback } from '../../../kernel/loopback.ts'
import type { OauthConfig } from '../../auth/oauth/oauth-config.ts'
import { describeReturnUrlProblem } from '../../auth/provider/return-url.ts'
import { builtInAdmin } from '../../permissions/groups-config.ts'
import { findDurationMs, isTooLong } from '../../sanctions/duration.ts'
import { defineConfigFile, type OtherConfigs } from '../declare/config-file.ts'
import { findChangePermission, ServerConfig } from './server-config.ts'

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

const describeOriginProblem = (text: string): string | undefined => {
  if (text.includes('*'))
    return 'a wildcard would let any page act as the signed-in user: list each origin exactly, such as https://admin.example.org'
  if (!URL.canParse(text))
    return `"${text}" is not an origin: write it as https://admin.example.org, with the port if it is not 443`
  const { origin, protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return `contains a user name or a password: write it as ${origin}`
  if (protocol !== 'https:' && !isPlainLoopback({ protocol, hostname }))
    return `"${text}" must begin with https:// (http:// is for this machine only)`
  return origin === text ? undefined : `"${text}" is not an exact origin: write it as ${origin}`
}

const findOriginFaults = ({ http }: ServerConfig): Fault[] =>
  http.allowedOrigins.flatMap((text, index) => {
    const message = describeOriginProblem(text)
    return message === undefined ? [] : [{ pointer: `/http/allowedOrigins/${index}`, message }]
  })

const findBurstFaults = ({ realtime: { messageBurst, messagesPerSecond } }: ServerConfig): Fault[] => {
  if (messageBurst >= messagesPerSecond) return []
  const message = `is ${messageBurst}, less than messagesPerSecond (${messagesPerSecond}): raise it to at least that`
  return [{ pointer: '/realtime/messageBurst', message }]
}

const everyMinMs = 600_000

const findBackupFaults = ({ backups: { every } }: ServerConfig): Fault[] => {
  if (every === undefined || (findDurationMs(every) ?? 0) >= everyMinMs) return []
  const message = isTooLong(every) ? 'is too long: at most 100 years' : 'is too short: at least 10m'
  return [{ pointer: '/backups/every', message }]
}

/** `server.yaml`: applies on reload, except for the tick rate, because the game loop keeps its step length while it runs. */
export const serverConfigFile = defineConfigFile({
  schema: ServerConfig,
  summary: 'Sign-in, and the limits of HTTP and of the real-time node.',
  effect: 'restart',
  refersTo: ['groups.yaml'],
  changePermission: findChangePermission,
  crossCheck: (config, others) => [
    ...findOriginFaults(config),
    ...findBurstFaults(config),
    ...findBackupFaults(config),
    ...findOauthFaults(config, others),
  ],
  afterReload: ({ realtime: { tickRate } }, next) => ({ ...next, realtime: { ...next.realtime, tickRate } }),
})
