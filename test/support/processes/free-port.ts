import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Systems use higher ports for outgoing connections, which could take one before it is used. */
const [lowest, highest] = [15_000, 32_000] as const

/** A file for each reserved port, with the id of its process. */
const reservations = join(tmpdir(), 'gatehouse-test-ports')

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Reserves a port for this process, so that no other suite takes it before its server listens, which takes seconds on a busy machine.
 * A port of a process that has ended is free at the next attempt.
 */
const reserve = (port: number): boolean => {
  const path = join(reservations, String(port))
  try {
    mkdirSync(reservations, { recursive: true })
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    try {
      if (!isRunning(Number(readFileSync(path, 'utf8')))) rmSync(path, { force: true })
    } catch {
      // Another process has just removed it.
    }
    return false
  }
}

/** Returns a free TCP port of the loopback, which no other test gets while this process runs. */
export const findFreePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(lowest, highest)
    if (!reserve(port)) continue
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
