import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe } from '@jest/globals'
import { Redis } from 'ioredis'
import { findFreePort } from '../processes/free-port.ts'
import { createTempDir } from '../processes/temp-dir.ts'
import { waitFor } from '../time/wait-for.ts'
import { findRedisLauncher } from './redis-launcher.ts'

/** A Redis of a test's own. */
export type RedisServer = {
  readonly url: string
  /** Ends it without warning, as `kill -9` does. */
  kill(): Promise<void>
  /** Brings it back, empty, at the same place; resolves when it serves. */
  restart(): Promise<void>
  /** Ends it and removes its files. */
  stop(): Promise<void>
}

const launcher = await findRedisLauncher()
const sharedUrl = process.env.REDIS_URL || undefined
const why = 'needs redis-server on the path, or Docker'

/** Jest's own summary only counts what was skipped. */
const skipAloud = (reason: string) => (name: string, body: () => void) => {
  process.stderr.write(`SKIPPED: "${name}" ${reason}\n`)
  describe.skip(`${name} (SKIPPED: ${reason})`, body)
}

const describeWhere = (available: boolean, reason: string) => {
  if (available) return describe
  if (process.env.CI) throw new Error(`Redis suites must run in CI: this one ${reason}`)
  return skipAloud(reason)
}

/** `describe` where there is a Redis to test with: `REDIS_URL`, one on the path, or Docker; else skipped with the reason in its name, and an error in CI. */
export const describeRedis = describeWhere(sharedUrl !== undefined || launcher !== undefined, `${why}, or REDIS_URL`)

/** The same for suites that kill their Redis or need it in cluster mode: `REDIS_URL` will not do. */
export const describeOwnRedis = describeWhere(launcher !== undefined, why)

/** The same for suites whose Redis must see this machine's loopback, as one in a container does not. */
export const describeLocalRedis =
  launcher?.kind === 'container' ? skipAloud('needs redis-server on the path, not in Docker') : describeOwnRedis

/** All 16,384 slots on one node, which still refuses commands whose keys lie in several. */
const formCluster = async (port: number) => {
  const admin = new Redis({ host: '127.0.0.1', port })
  try {
    if (!(await admin.cluster('INFO')).includes('cluster_slots_assigned:16384'))
      await admin.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
    await waitFor(async () => (await admin.cluster('INFO')).includes('cluster_state:ok'))
  } finally {
    admin.disconnect()
  }
}

/** Starts a Redis that keeps nothing: on a Unix socket where it can, on a loopback port in cluster mode, with `tcp`, as a sentinel (of nothing yet), and in a container. */
export const startRedis = async ({ cluster = false, tcp = false, sentinel = false } = {}): Promise<RedisServer> => {
  if (launcher === undefined) throw new Error(`startRedis ${why}`)
  const folder = await createTempDir()
  const onSocket = launcher.kind === 'binary' && !cluster && !tcp && !sentinel
  // The bus of a cluster node listens 10,000 ports higher.
  const port = onSocket ? 0 : await findFreePort(55_536)
  const socket = join(folder.path, 'redis.sock')
  const args = sentinel ? [join(folder.path, 'sentinel.conf'), '--sentinel'] : ['--save', '', '--appendonly', 'no']
  if (sentinel) await writeFile(join(folder.path, 'sentinel.conf'), '')
  args.push('--port', String(port))
  if (onSocket) args.push('--unixsocket', socket)
  else args.push('--bind', launcher.kind === 'binary' ? '127.0.0.1' : '0.0.0.0', '--protected-mode', 'no')
  if (launcher.kind === 'binary') args.push('--dir', folder.path)
  if (cluster) args.push('--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1')

  const start = async () => {
    const kill = await launcher.launch(args, port)
    if (cluster) await formCluster(port)
    return kill
  }
  let kill = await start()
  return {
    url: onSocket ? `unix://${socket}` : `redis${cluster ? '+cluster' : ''}://127.0.0.1:${port}`,
    kill: () => kill(),
    restart: async () => {
      await kill()
      kill = await start()
    },
    stop: async () => {
      await kill()
      await folder.remove()
    },
  }
}

/** The Redis of `REDIS_URL` where that is set, never to be killed, else one of the suite's own. */
export const openRedisForTests = async (): Promise<Pick<RedisServer, 'url' | 'stop'>> =>
  sharedUrl === undefined ? await startRedis() : { url: sharedUrl, stop: async () => undefined }
