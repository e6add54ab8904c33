import { Type } from '@sinclair/typebox'
import { toPrintableLine } from '../../sdk/examples/terminal/commands.ts'
import { type OauthSettings, readOauthSettings } from '../../shared/domain/auth/oauth/oauth-config.ts'
import { type OauthIdentity, readClaim, readIdentity } from '../../shared/domain/auth/oauth/oauth-identity.ts'
import { vouchedBy } from '../../shared/domain/auth/oauth/oauth-provider.ts'
import { findOauthFaults } from '../../shared/domain/configs/server/server-config-file.ts'
import type { Permissions } from '../../shared/domain/permissions/permissions.ts'
import { createParser } from '../../shared/kernel/schema.ts'
import { asksForHelp } from '../../shared/platform/process/asks-for-help.ts'
import type { Services } from '../../shared/services/wire-services.ts'
import { describeFailure } from '../world/describe-failure.ts'
import { checkAccounts, describeEffect } from './check-accounts.ts'
import { checkProvider, type Finding, fault, fine, isOfIssuer, note } from './check-provider.ts'
import { type OauthArguments, oauthUsage, parseOauthArguments } from './oauth-arguments.ts'
import { type RehearsalDeps, rehearseSignIn } from './rehearse-sign-in.ts'

const Claims = Type.Record(Type.String(), Type.Unknown())
const parseClaims = createParser(Type.Union([Claims, Type.Array(Claims)]))

/** A possible sign-in, and its name in the report. */
type Candidate = { readonly name: string; readonly identity: OauthIdentity }

/** Claims as the identity provider sends them, one object or a list. Throws an Error that names the fault. */
const readCandidates = (text: string, settings: OauthSettings): readonly Candidate[] => {
  const parsed = parseClaims(parseJson(text))
  if (!parsed.ok) throw new Error('The claims are not a JSON object or a list of objects.')
  const all = Array.isArray(parsed.value) ? parsed.value : [parsed.value]
  return all.map((claims, at) => {
    const subject = readClaim(claims, settings.claims.subject)
    if (typeof subject !== 'string' && typeof subject !== 'number')
      throw new Error(`The claims ${at + 1} have no subject: "${settings.claims.subject}" is missing.`)
    const { iss } = claims
    const issuer = typeof iss === 'string' && isOfIssuer(`${iss}|`, settings.issuer) ? iss : settings.issuer
    const identity = readIdentity(`${issuer}|${subject}`, [claims], settings)
    return { name: identity.email ?? String(subject), identity }
  })
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The owner of a verified email at the provider, with these values in the groups claim. */
const findCandidate = async (
  { accountStore }: Pick<RehearsalDeps, 'accountStore'>,
  { email, values }: { readonly email: string; readonly values: readonly string[] },
  { issuer }: OauthSettings,
): Promise<Candidate> => {
  const known = (await accountStore.findByEmail(email))?.subject
  const subject = known && isOfIssuer(known, issuer) ? known : `${issuer}|somebody`
  return { name: email, identity: { subject, email, emailVerified: true, displayName: undefined, groupValues: values } }
}

/** The effect of a sign-in with these claims, by the rules of a sign-in; a fault if it is refused. */
const describeCandidate = async (
  deps: RehearsalDeps,
  { name, identity }: Candidate,
  settings: OauthSettings,
): Promise<readonly Finding[]> => {
  const rehearsed = await rehearseSignIn(deps, vouchedBy(identity, settings))
  const text = `${name} ${describeEffect(rehearsed) ?? 'keeps its groups'}`
  const { groupsFault } = identity
  return [
    rehearsed.refusal === undefined ? fine(text) : fault(text),
    ...(groupsFault === undefined ? [] : [note(`${name}: ${groupsFault}.`)]),
  ]
}

/** Each value of the groups claim with its group and the permissions of that group. */
const describeMapping = ({ groupsClaim }: OauthSettings, permissions: Permissions): readonly string[] => {
  if (groupsClaim === undefined) return ['auth.oauth.groupsClaim is not set: a sign-in changes no groups.']
  const effective = new Map(permissions.listGroups().map(({ name, effective: rules }) => [name, rules]))
  const entries = Object.entries(groupsClaim.mapping).map(([value, group]) => {
    const rules = effective.get(group)
    const permits =
      rules === undefined
        ? 'a group that does not exist and therefore gives no permissions'
        : `may ${rules.join(', ') || 'nothing'}`
    return `"${value}" in ${groupsClaim.claim} → ${group}: ${permits}`
  })
  const others = groupsClaim.denyUnmapped ? 'A user without any of these values cannot sign in.' : 'Other values have no effect.'
  return [...entries, others]
}

/** The services of the command: the stored configs and accounts of the data folder, which it only reads. */
type OauthTask = Pick<Services, 'configs' | 'accountStore' | 'permissions' | 'clock' | 'ids' | 'log' | 'close'> & {
  readonly readSecret: (variable: string) => string | undefined
  readonly baseUrl: string
}

type OauthEdges = {
  readonly args: readonly string[]
  readonly openTask: () => Promise<OauthTask>
  readonly readText: (path: string) => Promise<string>
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
}

const marks = { ok: 'ok   ', note: 'note ', fault: 'FAULT' } as const

const findConfigFaults = ({ configs }: OauthTask): readonly Finding[] => {
  const { auth } = configs.get('server.yaml')
  const faults = findOauthFaults({ auth: { ...auth, provider: 'oauth' } }, { find: configs.get })
  return faults.map(({ pointer = '', message }) => fault(`${pointer.slice(1).replaceAll('/', '.')} ${message}`))
}

const check = async (task: OauthTask, asked: OauthArguments, { print, readText }: OauthEdges): Promise<0 | 2> => {
  const { configs, permissions, readSecret } = task
  const { provider, oauth: config } = configs.get('server.yaml').auth
  let isFaulty = false
  const tell = (title: string, findings: readonly Finding[], lines: readonly string[] = []) => {
    isFaulty ||= findings.some(({ kind }) => kind === 'fault')
    const shown = [...findings.map(({ kind, text }) => `${marks[kind]} ${text}`), ...lines]
    print(`${title}\n${shown.map((line) => `  ${toPrintableLine(line)}\n`).join('')}\n`)
  }

  const unused =
    provider === 'oauth' ? [] : [note(`auth.provider is ${provider}. Set it to oauth, or no one can sign in this way.`)]
  const faults = findConfigFaults(task)
  tell('server.yaml', [...unused, ...faults], faults.length === 0 ? ['auth.oauth is complete.'] : [])
  if (isFaulty) return 2
  if (!asked.isOffline) tell('Identity provider', await checkProvider({ ...task, config }))

  const settings = readOauthSettings(config, (variable) => readSecret(variable) ?? 'unknown')
  tell('Groups by mapping', [], describeMapping(settings, permissions))
  const { lines, findings } = await checkAccounts(task, settings)
  tell('Accounts at their next sign-in', findings, lines)
  const candidates = [
    ...(asked.person === undefined ? [] : [await findCandidate(task, asked.person, settings)]),
    ...(asked.claimsFile === undefined ? [] : readCandidates(await readText(asked.claimsFile), settings)),
  ]
  const effects: Finding[] = []
  for (const candidate of candidates) effects.push(...(await describeCandidate(task, candidate, settings)))
  const [good, others] = [effects.filter(({ kind }) => kind === 'ok'), effects.filter(({ kind }) => kind !== 'ok')]
  if (effects.length > 0)
    tell(
      'With these claims',
      others,
      good.map(({ text }) => text),
    )
  return isFaulty ? 2 : 0
}

/**
 * Runs `npm run oauth` and resolves to the exit code: 0 when nothing prevents sign-ins, 1 for bad usage, 2 with the faults
 * listed, including refusals of the given claims.
 */
export const runOauth = async (edges: OauthEdges): Promise<0 | 1 | 2> => {
  if (asksForHelp(edges.args)) {
    edges.print(`${oauthUsage}\n`)
    return 0
  }
  const parsed = parseOauthArguments(edges.args)
  if (!parsed.ok) {
    edges.complain(`${parsed.reason}\n${oauthUsage}\n`)
    return 1
  }
  let task: OauthTask | undefined
  try {
    task = await edges.openTask()
    return await check(task, parsed.value, edges)
  } catch (error) {
    edges.complain(`${describeFailure(error)}\n`)
    return 2
  } finally {
    await task?.close()
  }
}
