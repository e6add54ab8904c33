import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { createClientAddresses } from '../shared/domain/auth/client-address.ts'
import { systemClock } from '../shared/kernel/clock.ts'
import { systemIds } from '../shared/kernel/ids.ts'
import { createLog } from '../shared/kernel/log.ts'
import { failStart } from '../shared/platform/process/fail-start.ts'
import { stopOnSignal } from '../shared/platform/process/shutdown.ts'
import { bundleLambdas } from '../tools/package/bundle-lambdas.ts'
import { startServerless } from '../tools/package/serverless.ts'
import { passOnUpgrades, routeUpgrades } from './http/pass-on-upgrades.ts'
import { createBundleFolder } from './lambda-offline/lambda-offline-folder.ts'
import { createFront } from './lambda-offline/lambda-offline-front.ts'
import { openStreams } from './lambda-offline/lambda-offline-streams.ts'
import { parseOfflineEnvironment } from './lambda-offline-environment.ts'

const stopWithinMs = 2000

const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Starts serverless-offline with the packaged functions, and resolves when it answers. Calls `gone` when it ends by itself. */
const startFunctions = async (bundles: string, environment: Readonly<Record<string, string>>, gone: () => void) => {
  const [httpPort, lambdaPort] = [await findFreePort(), await findFreePort()]
  const ports = ['--httpPort', String(httpPort), '--lambdaPort', String(lambdaPort)]
  const child = startServerless(['offline', '--stage', 'local', `--param=bundles=${bundles}`, ...ports], {
    environment,
    stdio: 'pipe',
  })
  const exited = once(child, 'exit')
  let isStopping = false
  void exited.then(() => isStopping || gone())
  const output = [child.stdout, child.stderr].flatMap((stream) => (stream === null ? [] : [createInterface({ input: stream })]))
  const ready = new Promise<void>((resolve, reject) => {
    exited.then(() => reject(new Error('serverless-offline ended before it was ready')), reject)
    for (const lines of output)
      lines.on('line', (line) => {
        if (line.includes('Server ready')) resolve()
        process.stderr.write(`${line}\n`)
      })
  })
  await ready
  return {
    httpPort,
    stop: async () => {
      isStopping = true
      child.kill('SIGTERM')
      // It waits for functions, which only wait for their next call.
      const timer = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
      await exited
      clearTimeout(timer)
    },
  }
}

/** The packaged functions behind one address on this machine, on Redis and DynamoDB, without an account. */
const start = async (): Promise<void> => {
  const environment = parseOfflineEnvironment(process.env)
  const log = createLog(environment.logLevel, 'gatehouse-lambda')
  const bundles = await createBundleFolder()
  await bundleLambdas(bundles.path, { isHasty: true })
  const port = environment.port === 0 ? await findFreePort() : environment.port
  const baseUrl = process.env.BASE_URL ?? `http://127.0.0.1:${port}`
  Object.assign(process.env, { STORAGE: 'dynamodb', BASE_URL: baseUrl, AWS_REGION: environment.dynamodb.region })
  let fail = (fault: string): void => log.error({ fault }, 'stopping')
  const functions = await startFunctions(bundles.name, { BASE_URL: baseUrl }, () => fail('serverless-offline has ended'))
  const front = createFront({ httpPort: functions.httpPort, baseUrl, streams: await openStreams(bundles.path) })
  // Its node counts connections by the address of this process, the only one in development.
  const clients = createClientAddresses({ trustedProxies: () => 0 })
  routeUpgrades(
    front,
    passOnUpgrades(environment.realtimeUrl ?? 'http://127.0.0.1:3001', { log, ids: systemIds, clock: systemClock, clients }),
  )
  front.listen(port, '127.0.0.1')
  await once(front, 'listening')
  fail = stopOnSignal(
    [
      {
        name: 'http',
        run: () => {
          front.close()
          front.closeAllConnections()
        },
      },
      { name: 'functions', run: functions.stop },
      { name: 'bundles', run: bundles.remove },
    ],
    log,
  )
  process.stdout.write(`Gatehouse is ready at ${baseUrl}\n`)
}

start().catch(failStart)
