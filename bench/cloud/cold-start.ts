import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { createLambdaEvent } from '../../infra/lambda-offline/lambda-offline-event.ts'
import { systemIds } from '../../shared/kernel/ids.ts'
import { createLog } from '../../shared/kernel/log.ts'
import { createDynamo } from '../../shared/platform/storage/dynamodb/dynamodb-client.ts'
import { bundleLambda } from '../../test/support/cloud/bundle-one-lambda.ts'
import { findDynamoLauncher } from '../../test/support/dynamodb/dynamodb-launcher.ts'
import { copyConfigs, type LambdaBundle } from '../../tools/package/bundle-lambda.ts'
import { listLambdas } from '../../tools/package/list-lambdas.ts'
import { createTables } from '../../tools/tables/create-tables.ts'
import { startBenchRedis } from '../redis-process.ts'
import { type Bench, type BenchResult, median, round } from '../result.ts'

const rounds = 15
/** The allowed difference to the floor, for functions whose cold start people notice. */
const allowedMs = 15
const watched = ['auth', 'worlds']
const bareEntry = 'bench/cloud/bare-lambda.ts'

const script = fileURLToPath(new URL('./cold-import.ts', import.meta.url))

/** Builds the script of the children as plain JavaScript, so that they load nothing else. */
const buildScript = async (folder: string): Promise<string> => {
  const outfile = join(folder, 'cold-import.mjs')
  await build({ entryPoints: [script], outfile, platform: 'node', format: 'esm', target: 'node20' })
  return outfile
}

type Measured = { readonly importMs: number; readonly answeredMs: number; readonly status: number | undefined }

/** Measures a start in a new process: up to the handler, or up to the first answer for `path`. */
const startOnce = async (child: string, bundle: string, path: string | undefined, environment: NodeJS.ProcessEnv) => {
  const event = path === undefined ? [] : [JSON.stringify(createLambdaEvent({ method: 'GET', target: path }))]
  const options = { env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', ...environment } }
  const { stdout } = await promisify(execFile)(process.execPath, [child, pathToFileURL(bundle).href, ...event], options)
  const measured: Measured = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  return measured
}

const kib = (bytes: number): number => Math.round(bytes / 1024)

const describeSizes = (name: string, { importBytes, totalBytes }: LambdaBundle): readonly BenchResult[] => [
  { bench: 'cold-start', figure: `${name}: code that is read at import`, value: kib(importBytes), unit: 'KiB' },
  { bench: 'cold-start', figure: `${name}: code in all`, value: kib(totalBytes), unit: 'KiB' },
]

/** An address of each function without a sign-in, so that its cost is the start. */
const firstPaths: Readonly<Record<string, string>> = { bare: '/', auth: '/api/auth/config', worlds: '/api/admin/worlds' }

/** Measures from nothing to the first answer, with Redis and DynamoDB running: the wait of a first caller. */
const measureFirstAnswers = async (child: string, folder: string): Promise<readonly BenchResult[]> => {
  const dynamo = await (await findDynamoLauncher())?.launch()
  if (dynamo === undefined) return []
  const redis = await startBenchRedis()
  const target = { endpoint: dynamo.endpoint, region: 'us-east-1', tablePrefix: 'bench-' }
  const client = createDynamo({ target, ids: systemIds, log: createLog('silent', 'bench') })
  try {
    await client.ask((sdk) => createTables(sdk, target.tablePrefix))
    const environment = {
      STORAGE: 'dynamodb',
      DYNAMODB_ENDPOINT: target.endpoint,
      DYNAMODB_TABLE_PREFIX: target.tablePrefix,
      REDIS_URL: redis.url,
      LOG_LEVEL: 'silent',
    }
    const times = new Map<string, number[]>(Object.keys(firstPaths).map((name) => [name, []]))
    for (let turn = 0; turn <= rounds; turn += 1)
      for (const [name, measured] of times) {
        const { answeredMs, status = 500 } = await startOnce(
          child,
          join(folder, name, 'handler.js'),
          firstPaths[name],
          environment,
        )
        if (status >= 500) throw new Error(`${name} answered ${status}`)
        if (turn > 0) measured.push(answeredMs)
      }
    const reference = { name: 'the same of express and serverless-http alone', value: round(median(times.get('bare') ?? []), 1) }
    return watched.map((name) => ({
      bench: 'cold-start',
      figure: `${name}: from nothing to the first answer, with all that is loaded on first use`,
      value: round(median(times.get(name) ?? []), 1),
      unit: 'ms',
      reference,
      ratio: round(median(times.get(name) ?? []) / reference.value),
    }))
  } finally {
    client.close()
    await redis.stop()
    await dynamo.kill()
  }
}

/**
 * Benchmarks the cold import of every packaged function against express and serverless-http alone, bundled the same way; child
 * processes, in turns. It cannot show how long AWS takes to start a machine.
 */
export const coldStart: Bench = {
  name: 'cold-start',
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-lambdas-'))
    try {
      const child = await buildScript(folder)
      const entries = [['bare', bareEntry], ...listLambdas().map((name) => [name, `functions/${name}/handler.ts`])]
      const bundles = new Map<string, LambdaBundle>()
      for (const [name = '', entry = ''] of entries) {
        bundles.set(name, await bundleLambda(entry, join(folder, name)))
        await copyConfigs(join(folder, name))
      }
      const times = new Map<string, number[]>([...bundles.keys()].map((name) => [name, []]))
      for (let turn = 0; turn <= rounds; turn += 1)
        for (const [name, measured] of times) {
          const { importMs } = await startOnce(child, join(folder, name, 'handler.js'), undefined, {})
          if (turn > 0) measured.push(importMs)
        }
      const floor = median(times.get('bare') ?? [])
      const answers = await measureFirstAnswers(child, folder)
      const imports = listLambdas().flatMap((name): BenchResult[] => {
        const bundle = bundles.get(name)
        const value = median(times.get(name) ?? [])
        return [
          {
            bench: 'cold-start',
            figure: `${name}: cold import`,
            value: round(value, 1),
            unit: 'ms',
            reference: { name: 'express and serverless-http alone, bundled the same way', value: round(floor, 1) },
            ratio: round(value / floor),
            ...(watched.includes(name) && {
              target: `at most ${allowedMs} ms more than the reference`,
              met: value <= floor + allowedMs,
            }),
          },
          ...(bundle === undefined ? [] : describeSizes(name, bundle)),
        ]
      })
      return [...imports, ...answers]
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}
