import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A child process of the bench with a channel for messages. */
export type BenchChild = {
  readonly pid: number | undefined
  send(message: string): void
  /** Resolves with the first result of `pick`; rejects when the process ends first or after `timeoutMs`. */
  wait<T>(pick: (message: Record<string, unknown>) => T | undefined, timeoutMs?: number): Promise<T>
  stop(): Promise<void>
}

/** These scripts run from a bundle, like the server, because tsx adds 250 bytes to each function. */
const bundled = new Set(['realtime/gatehouse-server.ts', 'zones/gatehouse-server.ts'])
const benches = new URL('..', import.meta.url)
const launcher = fileURLToPath(new URL('../../infra/launch.js', import.meta.url))

/** Starts `script`, a path in `bench/`. */
export const startChild = (script: string, args: readonly string[] = [], nodeArgs: readonly string[] = []): BenchChild => {
  const path = fileURLToPath(new URL(script, benches))
  const isBundled = bundled.has(script)
  const child: ChildProcess = fork(isBundled ? launcher : path, isBundled ? [path, ...args] : [...args], {
    execArgv: ['--max-semi-space-size=16', ...(isBundled ? [] : ['--import', 'tsx']), '--expose-gc', ...nodeArgs],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const held: Record<string, unknown>[] = []
  const waiters = new Set<() => void>()
  child.on('message', (message) => {
    if (typeof message === 'object' && message !== null) held.push({ ...message })
    for (const waiter of [...waiters]) waiter()
  })
  let ended = false
  child.on('exit', () => {
    ended = true
    for (const waiter of [...waiters]) waiter()
  })
  return {
    pid: child.pid,
    send: (message) => {
      child.send(message)
    },
    wait: (pick, timeoutMs = 120_000) =>
      new Promise((resolve, reject) => {
        const settle = (finish: () => void) => {
          clearTimeout(timer)
          waiters.delete(look)
          finish()
        }
        const look = () => {
          for (const [index, message] of held.entries()) {
            const picked = pick(message)
            if (picked === undefined) continue
            held.splice(index, 1)
            settle(() => resolve(picked))
            return
          }
          if (ended) settle(() => reject(new Error(`${script} ended early`)))
        }
        const timer = setTimeout(() => settle(() => reject(new Error(`${script} did not answer in ${timeoutMs} ms`))), timeoutMs)
        waiters.add(look)
        look()
      }),
    stop: () =>
      new Promise((resolve) => {
        if (ended) return resolve()
        child.once('exit', () => resolve())
        child.kill('SIGKILL')
      }),
  }
}
