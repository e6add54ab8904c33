import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expectGuarded } from '../needs/guarded.ts'

/** A running DynamoDB: its address, and the function that kills it. */
export type LaunchedDynamo = { readonly endpoint: string; readonly kill: () => Promise<void> }

/** A way to run a DynamoDB that stores nothing durably. */
type DynamoLauncher = {
  readonly kind: 'container' | 'java'
  launch(port?: number): Promise<LaunchedDynamo>
}

const localstackPort = 4566

const container: DynamoLauncher = {
  kind: 'container',
  launch: async (port) => {
    expectGuarded('dynamodb', 'describeOwnDynamo')
    // Loaded only here, because it costs half a second.
    const { GenericContainer, Wait } = await import('testcontainers')
    const started = await new GenericContainer('localstack/localstack:3')
      .withEnvironment({ SERVICES: 'dynamodb', EAGER_SERVICE_LOADING: '1' })
      .withExposedPorts(port === undefined ? localstackPort : { container: localstackPort, host: port })
      .withWaitStrategy(Wait.forLogMessage(/Ready\./))
      .start()
    return {
      endpoint: `http://${started.getHost()}:${started.getMappedPort(localstackPort)}`,
      kill: async () => {
        await started.stop({ timeout: 0 })
      },
    }
  },
}

const end = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

/** The folder of Amazon's jars, in a package whose own launcher would listen on all interfaces. */
const jarFolder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('local-dynamo/package.json')), 'aws_dynamodb_local')

const javaArguments = (port: number): readonly string[] => {
  const libraries = join(jarFolder(), 'DynamoDBLocal_lib')
  return [
    ...['-Xmx384m', '-Xmn192m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', `-Djava.library.path=${libraries}`],
    ...['-cp', [join(jarFolder(), 'DynamoDBLocal.jar'), join(libraries, '*')].join(delimiter)],
    ...[`-Dgatehouse.port=${port}`, 'org.eclipse.jetty.xml.XmlConfiguration', join(import.meta.dirname, 'dynamodb-local.xml')],
  ]
}

/**
 * In production this service has its own machines, so here it gets a higher priority than its clients, if the system allows it.
 */
const javaCommand = (port: number): readonly [string, readonly string[]] =>
  process.getuid?.() === 0 ? ['nice', ['-n', '-10', 'java', ...javaArguments(port)]] : ['java', javaArguments(port)]

const java: DynamoLauncher = {
  kind: 'java',
  launch: async (port = 0) => {
    expectGuarded('dynamodb', 'describeOwnDynamo')
    return new Promise((resolve, reject) => {
      const child = spawn(...javaCommand(port), { stdio: ['ignore', 'pipe', 'pipe'] })
      const endWithUs = () => child.kill('SIGKILL')
      process.once('exit', endWithUs)
      const lines: string[] = []
      const keep = (line: string) => void (lines.length < 100 && lines.push(line))
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (/^\d+$/.test(line)) resolve({ endpoint: `http://127.0.0.1:${line}`, kill: () => end(child) })
        else keep(line)
      })
      createInterface({ input: child.stderr }).on('line', keep)
      child.once('error', reject)
      child.once('exit', () => {
        process.removeListener('exit', endWithUs)
        reject(new Error(`DynamoDB Local ended:\n${lines.join('\n')}`))
      })
    })
  },
}

const answers = async (command: string, args: readonly string[]): Promise<boolean> =>
  await promisify(execFile)(command, [...args], { timeout: 60_000 }).then(
    () => true,
    () => false,
  )

/** Its native library exists for this kind of processor only. */
const runsJava = (): boolean => process.arch === 'x64' && spawnSync('java', ['-version']).status === 0

/** LocalStack if a Docker engine answers, else DynamoDB Local if there is Java, else undefined. */
export const findDynamoLauncher = async (): Promise<DynamoLauncher | undefined> => {
  if (await answers('docker', ['version', '--format', '{{.Server.Version}}'])) return container
  return runsJava() ? java : undefined
}
