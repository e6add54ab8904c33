import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createDataDir, signIn, startGatehouse } from '../gatehouse-process.ts'
import { makeAccountWithoutPassword, makeUsersText } from './users-text.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const readRssMib = async (pid: number | undefined): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024

const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const before = performance.now()
  await run()
  return performance.now() - before
}

/** Repeats a request until stopped; returns the longest wait, in milliseconds. */
const watchWaits = (run: () => Promise<unknown>) => {
  let longestMs = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      longestMs = Math.max(longestMs, await timed(run))
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  })()
  return async (): Promise<number> => {
    isOver = true
    await watching
    return longestMs
  }
}

export type ServerSteps = {
  readonly startMs: number
  readonly firstSignInMs: number
  readonly signInMs: number
  readonly newAccountMs: number
  readonly adduserMs: number
  /** The longest wait for `/auth/me` of another account, while the server and `adduser` add accounts. */
  readonly waitMs: number
  /** The longest wait for sign-ins of existing accounts, while `adduser` runs beside the server. */
  readonly signInWaitMs: number
  readonly rssMib: number
}

const limits = `auth: { local: { bcryptCost: 10 } }
http: { rateLimits: { signInPerMinutePerAccount: 1000000, signInPerMinutePerAddress: 1000000, requestsPerMinutePerAddress: 1000000, requestsPerMinutePerToken: 1000000 } }
`

/** Measures `npm start` on a `users.yaml` of `count` accounts without passwords, whose hashes would dominate. */
export const measureServerSteps = async (count: number): Promise<ServerSteps> => {
  const data = await createDataDir({ 'server.yaml': limits, 'users.yaml': makeUsersText(count, makeAccountWithoutPassword) })
  let gatehouse: Awaited<ReturnType<typeof startGatehouse>> | undefined
  const startMs = await timed(async () => {
    gatehouse = await startGatehouse('infra/local.ts', { DATA_DIR: data.path })
  })
  if (gatehouse === undefined) throw new Error('the server did not start')
  const { url, pid, stop } = gatehouse
  try {
    const firstSignInMs = await timed(() => signIn(url, 'user5@example.com'))
    const signInMs = await timed(() => signIn(url, 'user6@example.com'))
    const token = await signIn(url, 'user7@example.com')
    const endWatch = watchWaits(async () => {
      const response = await fetch(`${url}/auth/me`, { headers: { authorization: `Bearer ${token}` } })
      await response.arrayBuffer()
    })
    const created: number[] = []
    for (let index = 0; index < 10; index += 1) created.push(await timed(() => signIn(url, `new-${randomUUID()}@example.com`)))
    const endSignIns = watchWaits(() => signIn(url, 'user8@example.com'))
    const adduserMs = await timed(() =>
      promisify(execFile)(process.execPath, ['infra/launch.js', 'tools/adduser.ts', 'beside@example.com', 'a long password'], {
        cwd: root,
        env: { PATH: process.env.PATH, DATA_DIR: data.path },
      }),
    )
    await signIn(url, 'beside@example.com')
    const signInWaitMs = await endSignIns()
    const waitMs = await endWatch()
    const newAccountMs = created.toSorted((a, b) => a - b)[5] ?? Number.NaN
    return { startMs, firstSignInMs, signInMs, newAccountMs, adduserMs, waitMs, signInWaitMs, rssMib: await readRssMib(pid) }
  } finally {
    await stop()
    await data.remove()
  }
}
