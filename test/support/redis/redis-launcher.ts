import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expectGuarded } from '../needs/guarded.ts'

/** A way to run `redis-server` with given arguments; a container listens on `port` of this machine's loopback. */
type RedisLauncher = {
  readonly kind: 'binary' | 'container'
  /** Resolves when it accepts connections, with the function that kills it. */
  launch(args: readonly string[], port: number): Promise<() => Promise<void>>
}

const readyLine = /ready to accept connections|Sentinel ID is/i

const end = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

const binary: RedisLauncher = {
  kind: 'binary',
  launch: async (args) => {
    expectGuarded('redis', 'describeOwnRedis')
    return new Promise((resolve, reject) => {
      const child = spawn('redis-server', [...args], { stdio: ['ignore', 'pipe', 'ignore'] })
      const endWithUs = () => child.kill('SIGKILL')
      process.once('exit', endWithUs)
      const lines: string[] = []
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (readyLine.test(line)) resolve(() => end(child))
        if (lines.length < 100) lines.push(line)
      })
      child.once('error', reject)
      child.once('exit', () => {
        process.removeListener('exit', endWithUs)
        reject(new Error(`redis-server ended:\n${lines.join('\n')}`))
      })
    })
  },
}

const container: RedisLauncher = {
  kind: 'container',
  launch: async (args, port) => {
    expectGuarded('redis', 'describeOwnRedis')
    // Loaded only here, because it costs half a second.
    const { GenericContainer, Wait } = await import('testcontainers')
    const started = await new GenericContainer('redis:7-alpine')
      .withCommand(['redis-server', ...args])
      .withExposedPorts({ container: port, host: port })
      .withWaitStrategy(Wait.forLogMessage(readyLine))
      .start()
    return async () => {
      await started.stop({ timeout: 0 })
    }
  },
}

const answers = async (command: string, args: readonly string[]): Promise<boolean> =>
  await promisify(execFile)(command, [...args], { timeout: 60_000 }).then(
    () => true,
    () => false,
  )

/** The `redis-server` on the path, else Docker if an engine answers, else undefined. */
export const findRedisLauncher = async (): Promise<RedisLauncher | undefined> => {
  if (spawnSync('redis-server', ['--version']).status === 0) return binary
  return (await answers('docker', ['version', '--format', '{{.Server.Version}}'])) ? container : undefined
}
