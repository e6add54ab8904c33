import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const launcher = fileURLToPath(new URL('../../../infra/launch.js', import.meta.url))

/** A TypeScript script in its own process. */
export type ChildScript = {
  /** Its standard output, a line at a time; ends when the process does. */
  readonly lines: AsyncIterator<string>
  readonly process: ChildProcessWithoutNullStreams
  /** Resolves with the exit code, or with the signal that ended it. */
  readonly ended: Promise<number | string>
}

export type ScriptLimits = {
  /** The largest file that it can write, in blocks of 512 bytes: simulates a full disk; not on Windows. */
  readonly fileBlocksMax?: number
}

/** Starts `script` with the Node of this process. Its standard error is shown only when it fails by itself. */
export const startScript = (script: string, args: readonly string[], { fileBlocksMax }: ScriptLimits = {}): ChildScript => {
  const command = [process.execPath, launcher, script, ...args]
  // With the signal ignored, a write past the limit fails as on a full disk. A bundle would not fit into the limit.
  const unbundled = [process.execPath, '--import', 'tsx', script, ...args]
  const limited = ['/bin/sh', '-c', `trap '' XFSZ; ulimit -f ${fileBlocksMax}; exec "$@"`, 'sh', ...unbundled]
  const [file = '', ...rest] = fileBlocksMax === undefined ? command : limited
  const child = spawn(file, rest, { stdio: 'pipe' })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk)
  })
  const ended = once(child, 'close').then(([code, signal]): number | string => {
    if (typeof code === 'number' && code !== 0) process.stderr.write(`${script} ended with ${code}:\n${stderr}\n`)
    return code ?? signal
  })
  return { lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](), process: child, ended }
}

/** The next line of a child's output; throws when there is none. */
export const nextLine = async ({ lines }: ChildScript): Promise<string> => {
  const { done, value } = await lines.next()
  if (done) throw new Error('the child process ended without another line')
  return value
}
