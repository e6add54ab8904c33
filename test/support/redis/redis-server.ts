import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { expectGuarded } from '../needs/guarded.ts'
import { findFreePort } from '../processes/free-port.ts'
import { createTempDir } from '../processes/temp-dir.ts'
import { waitFor } from '../time/wait-for.ts'
import { findRedisLauncher } from './redis-launcher.ts'

export type RedisServer = {
  readonly url: string
  /** Kills it, as `kill -9` does. */
  kill(): Promise<void>
  /** Restarts it, empty, at the same address; resolves when it serves. */
  restart(): Promise<void>
  /** Ends it and removes its files. */
  stop(): Promise<void>
}

/** The way to start Redis on this machine; undefined if there is none. */
export const redisLauncher = await findRedisLauncher()

/** Assigns all 16,384 slots to one node, which still refuses commands with keys in several slots. */
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

/**
 * Starts a Redis that stores nothing durably. It listens on a Unix socket if possible. In cluster mode, with `tcp`, as a sentinel
 * and in a container, it listens on a loopback port.
 */
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
    // The default is 10,000 ports higher, which may be the port of an outgoing connection.
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
