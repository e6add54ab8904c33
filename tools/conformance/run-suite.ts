import { setTimeout as sleep } from 'node:timers/promises'
import { type ConformanceOptions, createWanted } from './arguments/conformance-arguments.ts'
import type { Kit } from './check.ts'
import { type Ask, type Caller, createCleanUp, type ServerFacts } from './clean-up.ts'
import { type Administrator, type Credentials, openAdministrator } from './client/administrator.ts'
import type { HttpClient, Redactor } from './client/http-client.ts'
import { createRequestSender } from './client/request-sender.ts'
import type { ConformanceEdges } from './conformance-edges.ts'
import { features } from './features.ts'
import { createFixtures, type Fixtures } from './fixtures.ts'
import { createReport } from './report/report.ts'
import { Skipped } from './report/skipped.ts'
import type { ApiDescription } from './rules/api-description.ts'
import { createObserver } from './rules/observer.ts'
import { runChecks } from './run-checks.ts'

export type SuiteInputs = Pick<ConformanceEdges, 'print' | 'complain' | 'interrupted' | 'now' | 'newId' | 'newSecret'> & {
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
export const runSuite = async (inputs: SuiteInputs): Promise<0 | 1> => {
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
