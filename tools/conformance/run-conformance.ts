import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import { createParser } from '../../shared/kernel/schema.ts'
import { asksForHelp } from '../../shared/platform/process/asks-for-help.ts'
import {
  type ConformanceOptions,
  conformanceUsage,
  createWanted,
  parseConformanceArguments,
  type SecretSource,
} from './arguments/conformance-arguments.ts'
import type { Kit } from './check.ts'
import { type Ask, type Caller, createCleanUp, type ServerFacts } from './clean-up.ts'
import { type Administrator, type Credentials, openAdministrator, SignInRefused } from './client/administrator.ts'
import { createHttpClient, createRedactor, type HttpClient, jsonOf, NoAnswer, type Redactor } from './client/http-client.ts'
import { createRequestSender } from './client/request-sender.ts'
import type { ConformanceEdges } from './conformance-edges.ts'
import { features } from './features.ts'
import { createFixtures, type Fixtures } from './fixtures.ts'
import { createReport } from './report/report.ts'
import { Skipped } from './report/skipped.ts'
import { type ApiDescription, parseApiDescription } from './rules/api-description.ts'
import { createObserver } from './rules/observer.ts'
import { runChecks } from './run-checks.ts'

type SuiteInputs = Pick<ConformanceEdges, 'print' | 'complain' | 'interrupted' | 'now' | 'newId' | 'newSecret'> & {
  readonly options: ConformanceOptions
  readonly credentials: Credentials
  readonly client: HttpClient
  readonly redactor: Redactor
  readonly api: ApiDescription
  readonly facts: ServerFacts
}

const bearerOf = async (
  as: Caller,
  administrator: Administrator | undefined,
  fixtures: () => Fixtures,
): Promise<string | undefined> => {
  if (as === 'nobody') return undefined
  if (as === 'player') return (await fixtures().player()).token
  if (as !== 'administrator') return as.bearer
  if (administrator === undefined) throw new Skipped('needs an administrator')
  return administrator.token()
}

/** Signs in, runs the checks, cleans up and reports the end. Throws SignInRefused before the first check. */
const runSuite = async (inputs: SuiteInputs): Promise<0 | 1> => {
  const { options, credentials, client, redactor, api, facts, interrupted, now, newId, newSecret } = inputs
  const name = `conformance-${newId().slice(0, 8)}`
  const observer = createObserver(api)
  const report = createReport({ ...inputs, name })
  const send = createRequestSender({
    client,
    redactor,
    newRequestId: () => `${name}-${newId().slice(0, 8)}`,
    observe: observer.note,
    waitSeconds: async (seconds) => {
      report.note(`waiting ${seconds} s, as the server requires`)
      await sleep(seconds * 1000, undefined, { signal: interrupted }).catch(() => undefined)
    },
  })
  const administrator = credentials.kind === 'none' ? undefined : await openAdministrator({ send, redactor, now }, credentials)

  const cleanUp = createCleanUp()
  const ask: Ask = async (as, what, sent) => send(what, await bearerOf(as, administrator, () => fixtures), sent)
  const askAs = (what: string, bearer: string | undefined, sent: Parameters<Ask>[2]) => send(what, bearer, sent)
  const fixtures: Fixtures = createFixtures({
    url: options.url,
    facts,
    cleanUp,
    redactor,
    name,
    newPassword: newSecret,
    askAs,
    now,
    ask: (what, sent) => ask('administrator', what, sent),
  })
  const email = credentials.kind === 'password' ? credentials.email : undefined
  const kit: Kit = { ask, api, facts, email, url: options.url, name, fixtures, cleanUp }
  const wanted = createWanted(options.only)
  report.begin()
  let left: readonly string[] = []
  try {
    await runChecks(features, { kit, options, wanted, report: report.add, interrupted })
  } finally {
    left = await cleanUp.run()
    await administrator?.leave().catch(() => undefined)
  }
  await runChecks(observer.features, { kit, options, wanted, report: report.add, interrupted: new AbortController().signal })
  return report.end(left, interrupted.aborted)
}

const requestTimeoutMs = 30_000

/** The server at the address is not Gatehouse, or reports too little to be checked. */
class NotGatehouse extends Error {}

const parseFacts = createParser(Type.Object({ provider: Type.String(), requirePassword: Type.Boolean() }))

const readJson = async (client: HttpClient, target: string): Promise<unknown> => {
  const answer = await client.send({ method: 'GET', target, headers: {} })
  if (answer.status !== 200) throw new NotGatehouse(`GET ${target} answered ${answer.status}`)
  return jsonOf(answer)
}

const readServer = async (client: HttpClient): Promise<{ readonly api: ApiDescription; readonly facts: ServerFacts }> => {
  const document = await readJson(client, '/api/openapi.json')
  const facts = parseFacts(await readJson(client, '/api/auth/config'))
  if (!facts.ok) throw new NotGatehouse('GET /api/auth/config does not say how to sign in')
  try {
    return { api: parseApiDescription(document), facts: facts.value }
  } catch (error) {
    throw new NotGatehouse(error instanceof Error ? error.message : String(error))
  }
}

const readCredentials = async (
  { credentials }: ConformanceOptions,
  readSecret: ConformanceEdges['readSecret'],
): Promise<Credentials> => {
  const readFrom = (source: SecretSource, what: 'Password' | 'Token') =>
    source.from === 'given' ? source.value : readSecret(what)
  if (credentials.kind === 'none') return credentials
  if (credentials.kind === 'token') return { kind: 'token', token: await readFrom(credentials.token, 'Token') }
  return { ...credentials, password: await readFrom(credentials.password, 'Password') }
}

/** The conformance suite from its command line to its exit status: 0 nothing failed, 1 something failed, 2 it could not begin. */
export const runConformance = async (edges: ConformanceEdges): Promise<0 | 1 | 2> => {
  if (asksForHelp(edges.args)) {
    edges.print(`${conformanceUsage}\n`)
    return 0
  }
  const parsed = parseConformanceArguments(edges.args, edges.env)
  if (!parsed.ok) {
    edges.complain(`${parsed.reason}\n\n${conformanceUsage}\n`)
    return 2
  }
  const { options } = parsed
  const redactor = createRedactor()
  const client = createHttpClient(options.url, requestTimeoutMs)
  try {
    const server = await readServer(client)
    const credentials = await readCredentials(options, edges.readSecret)
    return await runSuite({ ...edges, options, credentials, client, redactor, ...server })
  } catch (error) {
    if (!(error instanceof NoAnswer || error instanceof NotGatehouse || error instanceof SignInRefused)) throw error
    edges.complain(`${options.url}: ${redactor.redact(error.message)}\n`)
    return 2
  } finally {
    client.close()
  }
}
