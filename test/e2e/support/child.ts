import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { waitFor } from '../../support/time/wait-for.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export type Variables = Readonly<Record<string, string>>

/** A process of Gatehouse, started like by a user, with its output. */
export type Child = {
  /** The process id; 0 if it could not be started. */
  readonly pid: number
  stdout(): string
  stderr(): string
  isRunning(): boolean
  write(text: string): void
  endInput(text?: string): void
  signal(name: 'SIGTERM' | 'SIGKILL' | 'SIGINT' | 'SIGSTOP' | 'SIGCONT'): void
  /** Resolves with the exit code, or with the signal that ended it, once all output has arrived. */
  readonly ended: Promise<number | string>
  /** Resolves once standard output has `text`; throws with all output if the process ends first, or after `withinMs`. */
  shows(text: string | RegExp, withinMs?: number): Promise<void>
  /** Ends the process and its children. */
  kill(): Promise<void>
}

/** Redis and DynamoDB answer late on a busy machine, and most tests are not about that. */
export const patience = { REDIS_PATIENCE_MS: '15000', DYNAMODB_PATIENCE_MS: '30000' }

/** Makes a server watch its parent process, so that it ends even if jest dies. */
const watchParent = { npm_lifecycle_event: 'e2e' }

const keep = (variables: readonly string[]): Variables =>
  Object.fromEntries(
    variables.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

const holds = (output: string, text: string | RegExp): boolean =>
  typeof text === 'string' ? output.includes(text) : text.test(output)

/** Starts `file` in the project's folder with these variables and none of the caller's own. */
export const startChild = (file: string, args: readonly string[], variables: Variables = {}): Child => {
  const child = spawn(file, [...args], {
    cwd: root,
    env: { ...keep(['PATH', 'HOME', 'TMPDIR', 'SystemRoot']), ...watchParent, ...patience, ...variables },
    stdio: 'pipe',
    // A separate process group, so that children of npm can be ended too.
    detached: process.platform !== 'win32',
  })
  let stdout = ''
  let stderr = ''
  let isRunning = true
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
  })
  child.stdin.on('error', () => undefined)
  child.once('exit', () => {
    isRunning = false
  })
  const ended = once(child, 'close').then(([code, signal]): number | string => code ?? signal)
  const killGroup = (): void => {
    try {
      if (child.pid !== undefined) process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL')
    } catch {
      // The process group is empty.
    }
  }
  return {
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    isRunning: () => isRunning,
    write: (text) => child.stdin.write(text),
    endInput: (text = '') => child.stdin.end(text),
    signal: (name) => child.kill(name),
    ended,
    shows: async (text, withinMs) => {
      await waitFor(() => holds(stdout, text) || !isRunning, withinMs).catch(() => undefined)
      if (!isRunning) await ended
      if (!holds(stdout, text)) throw new Error(`${args.join(' ')} never showed ${text}:\n${stdout}\n${stderr}`)
    },
    kill: async () => {
      killGroup()
      await ended
    },
  }
}

/** Starts one of the entry points, as its npm script does. */
export const startEntry = (script: string, args: readonly string[] = [], variables: Variables = {}): Child =>
  startChild(process.execPath, ['infra/launch.js', script, ...args], variables)
