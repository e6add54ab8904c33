import { toPrintableLine } from '../../sdk/examples/terminal/commands.ts'
import { type OauthSettings, readOauthSettings } from '../../shared/domain/auth/oauth/oauth-config.ts'
import { findOauthFaults } from '../../shared/domain/configs/server/oauth-config-faults.ts'
import type { Permissions } from '../../shared/domain/permissions/permissions.ts'
import type { Services } from '../../shared/services/wire-services.ts'
import { asksForHelp } from '../usage/asks-for-help.ts'
import { describeFailure } from '../world/describe-failure.ts'
import { checkAccounts } from './check-accounts.ts'
import { describeCandidate, findCandidate, readCandidates } from './check-claims.ts'
import { checkProvider, type Finding, fault, note } from './check-provider.ts'
import { type OauthArguments, oauthUsage, parseOauthArguments } from './oauth-arguments.ts'

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
