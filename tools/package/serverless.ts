import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const program = join(dirname(createRequire(import.meta.url).resolve('serverless/package.json')), 'bin/serverless.js')

/** Dummy credentials: osls requires some before it checks whether it needs them. */
const nobody = { AWS_ACCESS_KEY_ID: 'nobody', AWS_SECRET_ACCESS_KEY: 'nobody' }

export type ServerlessOptions = {
  /** Variables in addition to those without a relation to AWS. */
  readonly environment?: Readonly<Record<string, string>>
  readonly stdio?: 'inherit' | 'pipe'
}

/** Starts the Serverless Framework of this project without prompts and without network access. */
export const startServerless = (args: readonly string[], { environment = {}, stdio = 'inherit' }: ServerlessOptions = {}) =>
  spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
    cwd: root,
    env: { ...process.env, ...nobody, SLS_TELEMETRY_DISABLED: '1', SLS_NOTIFICATIONS_MODE: 'off', ...environment },
    stdio: ['ignore', stdio, stdio],
  })

/** Runs it to its end; throws when it fails. */
export const runServerless = async (args: readonly string[]): Promise<void> => {
  const [code] = await once(startServerless(args), 'exit')
  if (code !== 0) throw new Error(`serverless ${args.join(' ')} ended with ${code}`)
}
