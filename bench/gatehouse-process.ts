import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A data folder for one bench with the given config files, in `parent` or in the system's temporary folder. */
export const createDataDir = async (
  files: Readonly<Record<string, string>>,
  parent = tmpdir(),
): Promise<{ path: string; remove: () => Promise<void> }> => {
  const path = await mkdtemp(join(parent, 'gatehouse-bench-data-'))
  await mkdir(join(path, 'config'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, 'config', name), text)
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

export type GatehouseProcess = {
  readonly url: string
  readonly pid: number | undefined
  readonly claim: string | undefined
  stop(): Promise<void>
}

/** The command of that entry point in `package.json`: Node's options, the launcher and the script. */
const readCommand = async (script: string): Promise<readonly string[]> => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const line = Object.values(scripts).find((command) => command.startsWith('node ') && command.endsWith(` ${script}`))
  if (line === undefined) throw new Error(`package.json starts no ${script}`)
  return line.split(' ').slice(1)
}

/** Starts an entry point like a user, and waits until it is ready. */
export const startGatehouse = async (
  script: string,
  environment: Readonly<Record<string, string>>,
): Promise<GatehouseProcess> => {
  const child = spawn(process.execPath, await readCommand(script), {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  let url: string | undefined
  let claim: string | undefined
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)))
    lines.on('line', (line) => {
      claim ??= /\/claim#(\S+)/.exec(line)?.[1]
      const ready = /^Gatehouse is ready at (\S+)/.exec(line)
      if (ready?.[1] === undefined) return
      url = ready[1]
      setTimeout(resolve, 100)
    })
  })
  if (url === undefined) throw new Error(`${script} gave no address`)
  return {
    url,
    pid: child.pid,
    claim,
    stop: async () => {
      child.removeAllListeners('exit')
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Signs in and returns the token. */
export const signIn = async (url: string, email: string, password = ''): Promise<string> => {
  const response = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const body: unknown = await response.json()
  if (typeof body === 'object' && body !== null && 'token' in body && typeof body.token === 'string') return body.token
  throw new Error(`sign-in answered ${response.status} ${JSON.stringify(body)}`)
}
