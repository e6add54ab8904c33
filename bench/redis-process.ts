import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new Redis on a Unix socket, in a temporary folder. */
export const startBenchRedis = async (): Promise<{ url: string; pid: number | undefined; stop: () => Promise<void> }> => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
  const socket = join(folder, 'redis.sock')
  const child = spawn('redis-server', ['--port', '0', '--unixsocket', socket, '--save', '', '--appendonly', 'no'], {
    stdio: 'ignore',
  })
  for (let waited = 0; !existsSync(socket); waited += 20) {
    if (waited > 5000) throw new Error('redis-server did not start')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    url: `unix://${socket}`,
    pid: child.pid,
    stop: async () => {
      child.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
