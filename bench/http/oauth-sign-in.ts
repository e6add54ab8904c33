import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { issuerClient } from '../../test/support/auth/issuer-client.ts'
import { type LoginIssuer, startLoginIssuer } from '../../test/support/auth/login-issuer.ts'
import { type Browser, createBrowser } from '../../test/support/auth/oauth-browser.ts'
import { passLoginForm } from '../../test/support/auth/pass-login-form.ts'
import { findFreePort } from '../../test/support/processes/free-port.ts'
import { waitFor } from '../../test/support/time/wait-for.ts'
import { createDataDir, type GatehouseProcess, startGatehouse } from '../gatehouse-process.ts'
import { type Bench, type BenchResult, median, percentile, round } from '../result.ts'

const warmUps = 200
const measured = 1000
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
http: { rateLimits: { signInPerMinutePerAddress: 1000000, requestsPerMinutePerAddress: 1000000, requestsPerMinutePerToken: 1000000 } }
`

/** `timesFile` has the time of each request in the server (handler-times.js). */
type Stage = { readonly gatehouse: GatehouseProcess; readonly issuer: LoginIssuer; readonly timesFile: string }

type HandlerTime = { readonly path: string; readonly ms: number }

/** Follows one redirect of the server. */
const redirect = async (browser: Browser, url: string): Promise<string> => {
  const response = await fetch(url, { redirect: 'manual', headers: { cookie: browser.cookiesFor(url) } })
  await response.arrayBuffer()
  if (response.status !== 302) throw new Error(`${new URL(url).pathname} answered ${response.status}`)
  browser.keep(url, response.headers.getSetCookie())
  return response.headers.get('location') ?? ''
}

const begin = (browser: Browser, { gatehouse }: Stage) =>
  redirect(browser, `${gatehouse.url}/auth/oauth/start?returnUrl=${encodeURIComponent(returnUrl)}`)

const passIssuer = (browser: Browser, url: string, { login, gatehouse }: Stage & { readonly login: string }) =>
  passLoginForm({ browser, url, login, isEnd: (at) => at.startsWith(`${gatehouse.url}/auth/callback`) })

const readTimes = async ({ timesFile }: Stage): Promise<readonly HandlerTime[]> => {
  const text = await readFile(timesFile, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): HandlerTime => JSON.parse(line))
}

/** Measures one sign-in, and the cheapest possible answer. */
const signInAlone = async (stage: Stage, login: string): Promise<void> => {
  const browser = createBrowser()
  const location = await begin(browser, stage)
  await redirect(browser, await passIssuer(browser, location, { ...stage, login }))
  await (await fetch(`${stage.gatehouse.url}/healthz`)).arrayBuffer()
}

/** The server's time for each request of the sign-ins by path, without waits for the issuer. */
const measure = async (stage: Stage, loginOf: (turn: number) => string) => {
  const before = (await readTimes(stage)).length
  for (let turn = 0; turn < measured; turn += 1) await signInAlone(stage, loginOf(turn))
  await waitFor(async () => (await readTimes(stage)).length >= before + 3 * measured)
  const times = (await readTimes(stage)).slice(before)
  const of = (wanted: string) => times.filter(({ path }) => path === wanted).map(({ ms }) => ms)
  return { starts: of('/auth/oauth/start'), callbacks: of('/auth/callback'), healths: of('/healthz') }
}

/**
 * Runs all sign-ins of new users together in each of the three steps; resolves with the number of failures and the total time in
 * milliseconds.
 */
const signInTogether = async (stage: Stage) => {
  const startedAt = performance.now()
  const outcomes = await Promise.allSettled(
    Array.from({ length: atOnce }, async (_, at) => {
      const browser = createBrowser()
      const location = await begin(browser, stage)
      await redirect(browser, await passIssuer(browser, location, { ...stage, login: `crowd${at}` }))
    }),
  )
  const failed = outcomes.filter(({ status }) => status === 'rejected').length
  return { failed, tookMs: performance.now() - startedAt }
}

type Compared = { readonly figure: string; readonly times: readonly number[]; readonly healths: readonly number[] }

const tell = ({ figure, times, healths }: Compared): BenchResult => ({
  bench: 'oauth',
  figure: `${figure}, without the issuer’s time, p99 (median ${round(median(times), 1)} ms)`,
  value: round(percentile(times, 0.99), 1),
  unit: 'ms',
  reference: { name: 'GET /healthz between them, p99', value: round(percentile(healths, 0.99), 1) },
})

const under15 = (compared: Compared): BenchResult => ({
  ...tell(compared),
  target: 'under 15, on a machine that does nothing else',
  met: percentile(compared.times, 0.99) < 15,
})

/** Runs both kinds of sign-ins until the engine has compiled their code. */
const warmUp = async (stage: Stage): Promise<void> => {
  for (let turn = 0; turn < warmUps; turn += 1) await signInAlone(stage, turn % 2 === 0 ? 'known' : `warm${turn}`)
}

const runOnDisk = async (stage: Stage): Promise<readonly BenchResult[]> => {
  await warmUp(stage)
  const known = await measure(stage, () => 'known')
  const fresh = await measure(stage, (turn) => `fresh${turn}`)
  const { failed, tookMs } = await signInTogether(stage)
  const all = { times: [...known.starts, ...fresh.starts], healths: [...known.healths, ...fresh.healths] }
  const callback = 'GET /auth/callback'
  return [
    under15({ figure: 'GET /auth/oauth/start', ...all }),
    under15({ figure: `${callback} of a known account`, times: known.callbacks, healths: known.healths }),
    under15({ figure: `${callback} that creates an account, the disk included`, times: fresh.callbacks, healths: fresh.healths }),
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

/**
 * The cost of a new account without its three waits for the disk (file, folder, audit log), whose tail depends on the machine.
 */
const runInMemory = async (stage: Stage): Promise<readonly BenchResult[]> => {
  await warmUp(stage)
  const { callbacks, healths } = await measure(stage, (turn) => `fresh${turn}`)
  return [under15({ figure: 'GET /auth/callback that creates an account besides the disk', times: callbacks, healths })]
}

/** A folder that Linux keeps in memory, without waits for a disk. */
const memoryFolder = '/dev/shm'

/**
 * Benchmarks sign-ins through a certified provider in its own process, whose time does not count; the server is one process with
 * its state in memory. It cannot show a remote provider.
 */
export const oauthSignIn: Bench = {
  name: 'oauth',
  run: async () => {
    const port = await findFreePort()
    const redirectUri = `http://127.0.0.1:${port}/auth/callback`
    const issuer = await startLoginIssuer([redirectUri])
    const withServer = async (parent: string, run: (stage: Stage) => Promise<readonly BenchResult[]>) => {
      const data = await createDataDir({ 'server.yaml': configFor(issuer.origin, redirectUri) }, parent)
      const timesFile = join(data.path, 'handler-times')
      const environment = {
        DATA_DIR: data.path,
        PORT: String(port),
        [issuerClient.secretEnv]: issuerClient.secret,
        BENCH_TIMES: timesFile,
        NODE_OPTIONS: `--import=${fileURLToPath(new URL('./handler-times.js', import.meta.url))}`,
      }
      try {
        const gatehouse = await startGatehouse('infra/local.ts', environment)
        return await run({ gatehouse, issuer, timesFile }).finally(gatehouse.stop)
      } finally {
        await data.remove()
      }
    }
    try {
      const onDisk = await withServer(tmpdir(), runOnDisk)
      return existsSync(memoryFolder) ? [...onDisk, ...(await withServer(memoryFolder, runInMemory))] : onDisk
    } finally {
      await issuer.stop()
    }
  },
}
