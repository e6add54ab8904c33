import { findFreePort } from '../../support/free-port.ts'
import { issuerClient } from '../../support/issuer-client.ts'
import { type LoginIssuer, startLoginIssuer } from '../../support/login-issuer.ts'
import { type Browser, createBrowser } from '../../support/oauth-browser.ts'
import { passLoginForm } from '../../support/pass-login-form.ts'
import { createDataDir, type GatehouseProcess, startGatehouse } from '../gatehouse-process.ts'
import { type Bench, type BenchResult, median, percentile, round } from '../result.ts'

const warmUps = 20
const measured = 300
const atOnce = 200
const returnUrl = 'http://127.0.0.1:4999/game'

const configFor = (issuer: string, redirectUri: string) => `auth:
  provider: oauth
  oauth:
    issuer: ${issuer}
    clientId: ${issuerClient.id}
    clientSecretEnv: ${issuerClient.secretEnv}
    redirectUri: ${redirectUri}
    allowedReturnUrls: [http://127.0.0.1/]
    groupsClaim: { claim: groups, mapping: {} }
http: { rateLimits: { signInPerMinutePerAddress: 1000000, requestsPerMinutePerToken: 1000000 } }
`

type Stage = { readonly gatehouse: GatehouseProcess; readonly issuer: LoginIssuer }

/** One redirect of the server's; what it takes, seen from outside, is in milliseconds. */
const redirect = async (browser: Browser, url: string) => {
  const startedAt = performance.now()
  const response = await fetch(url, { redirect: 'manual', headers: { cookie: browser.cookiesFor(url) } })
  await response.arrayBuffer()
  const ms = performance.now() - startedAt
  if (response.status !== 302) throw new Error(`${new URL(url).pathname} answered ${response.status}`)
  browser.keep(url, response.headers.getSetCookie())
  return { ms, location: response.headers.get('location') ?? '' }
}

const begin = (browser: Browser, { gatehouse }: Stage) =>
  redirect(browser, `${gatehouse.url}/auth/oauth/start?returnUrl=${encodeURIComponent(returnUrl)}`)

const passIssuer = (browser: Browser, url: string, { login, gatehouse }: Stage & { readonly login: string }) =>
  passLoginForm({ browser, url, login, isEnd: (at) => at.startsWith(`${gatehouse.url}/auth/callback`) })

/** What any answer takes on this machine at the moment: the smallest there is. */
const timeOfHealth = async ({ gatehouse }: Stage): Promise<number> => {
  const startedAt = performance.now()
  await (await fetch(`${gatehouse.url}/healthz`)).arrayBuffer()
  return performance.now() - startedAt
}

/** One sign-in alone: what the start took, and what the callback took without the issuer's time as the issuer's own process measured it. */
const signInAlone = async (stage: Stage, login: string) => {
  const browser = createBrowser()
  const start = await begin(browser, stage)
  const callback = await passIssuer(browser, start.location, { ...stage, login })
  await stage.issuer.readTimings()
  const end = await redirect(browser, callback)
  const issuerMs = (await stage.issuer.readTimings()).reduce((sum, { ms }) => sum + ms, 0)
  return { startMs: start.ms, callbackMs: end.ms - issuerMs }
}

const measure = async (stage: Stage, loginOf: (turn: number) => string) => {
  const starts: number[] = []
  const callbacks: number[] = []
  const healths: number[] = []
  for (let turn = 0; turn < measured; turn += 1) {
    const { startMs, callbackMs } = await signInAlone(stage, loginOf(turn))
    starts.push(startMs)
    callbacks.push(callbackMs)
    healths.push(await timeOfHealth(stage))
  }
  return { starts, callbacks, healths }
}

/** All together at each of the three steps, everybody new; resolves with how many failed and how long the whole took, in milliseconds. */
const signInTogether = async (stage: Stage) => {
  const startedAt = performance.now()
  const outcomes = await Promise.allSettled(
    Array.from({ length: atOnce }, async (_, at) => {
      const browser = createBrowser()
      const { location } = await begin(browser, stage)
      await redirect(browser, await passIssuer(browser, location, { ...stage, login: `crowd${at}` }))
    }),
  )
  const failed = outcomes.filter(({ status }) => status === 'rejected').length
  return { failed, tookMs: performance.now() - startedAt }
}

const under15 = (figure: string, times: readonly number[], healths: readonly number[]): BenchResult => {
  const value = percentile(times, 0.99)
  return {
    bench: 'oauth',
    figure: `${figure}, p99 (median ${round(median(times), 1)} ms)`,
    value: round(value, 1),
    unit: 'ms',
    reference: { name: 'GET /healthz between them, p99', value: round(percentile(healths, 0.99), 1) },
    target: 'under 15, on a machine that does nothing else',
    met: value < 15,
  }
}

const run = async (stage: Stage): Promise<readonly BenchResult[]> => {
  for (let turn = 0; turn < warmUps; turn += 1) await signInAlone(stage, 'known')
  const known = await measure(stage, () => 'known')
  const fresh = await measure(stage, (turn) => `fresh${turn}`)
  const { failed, tookMs } = await signInTogether(stage)
  const starts = [...known.starts, ...fresh.starts]
  return [
    under15('GET /auth/oauth/start', starts, [...known.healths, ...fresh.healths]),
    under15('GET /auth/callback of a known account, without the issuer’s time', known.callbacks, known.healths),
    under15('GET /auth/callback that creates an account, without the issuer’s time', fresh.callbacks, fresh.healths),
    {
      bench: 'oauth',
      figure: `sign-ins of ${atOnce} new people at once that failed (all took ${round(tookMs, 0)} ms, the issuer on the same cores)`,
      value: failed,
      unit: 'sign-ins',
      target: 'none',
      met: failed === 0,
    },
  ]
}

/** Sign-ins through a certified provider in a process of its own, whose time is not counted; one process of ours keeps its state in memory. */
export const oauthSignIn: Bench = {
  name: 'oauth',
  run: async () => {
    const port = await findFreePort()
    const redirectUri = `http://127.0.0.1:${port}/auth/callback`
    const issuer = await startLoginIssuer([redirectUri])
    const data = await createDataDir({ 'server.yaml': configFor(issuer.origin, redirectUri) })
    const environment = { DATA_DIR: data.path, PORT: String(port), [issuerClient.secretEnv]: issuerClient.secret }
    try {
      const gatehouse = await startGatehouse('infra/local.ts', environment)
      return await run({ gatehouse, issuer }).finally(gatehouse.stop)
    } finally {
      await issuer.stop()
      await data.remove()
    }
  },
}
