import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { expectGuarded } from '../needs/guarded.ts'
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

/** How a Redis is started on this machine; undefined where there is none to be had. */
export const redisLauncher = await findRedisLauncher()

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

/** Starts a Redis that keeps nothing. It listens on a Unix socket where it can; on a loopback port in cluster mode, with `tcp`, as a sentinel (of nothing yet), and in a container. */
export const startRedis = async ({ cluster = false, tcp = false, sentinel = false } = {}): Promise<RedisServer> => {
  expectGuarded('redis', 'describeOwnRedis')
  if (redisLauncher === undefined) throw new Error('startRedis needs redis-server on the path, or Docker')
  const folder = await createTempDir()
  const onSocket = redisLauncher.kind === 'binary' && !cluster && !tcp && !sentinel
  const port = onSocket ? 0 : await findFreePort()
  const socket = join(folder.path, 'redis.sock')
  const args = sentinel ? [join(folder.path, 'sentinel.conf'), '--sentinel'] : ['--save', '', '--appendonly', 'no']
  if (sentinel) await writeFile(join(folder.path, 'sentinel.conf'), '')
  args.push('--port', String(port))
  if (onSocket) args.push('--unixsocket', socket)
  else args.push('--bind', redisLauncher.kind === 'binary' ? '127.0.0.1' : '0.0.0.0', '--protected-mode', 'no')
  if (redisLauncher.kind === 'binary') args.push('--dir', folder.path)
  if (cluster) {
    // Left to itself it listens 10,000 ports higher, which may be that of a connection that goes out.
    let bus = await findFreePort()
    while (bus === port) bus = await findFreePort()
    args.push('--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1', '--cluster-port', String(bus))
  }

  const start = async () => {
    const kill = await redisLauncher.launch(args, port)
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
