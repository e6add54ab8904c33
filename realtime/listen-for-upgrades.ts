import { createServer, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Log } from '../shared/kernel/log.ts'
import type { PlainAnswers } from './health.ts'
import { writePlain } from './socket/write-plain.ts'

export type UpgradeListenerOptions = {
  readonly handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  readonly port: number
  readonly host: string
  /** What a GET is answered by its path; anything else but an upgrade is answered 426. */
  readonly answers: PlainAnswers
  readonly log: Log
}

/** Listens for upgrades on a port of its own, which may be 0 for any that is free; rejects when it cannot. */
export const listenForUpgrades = ({
  port,
  host,
  answers,
  handleUpgrade,
  log,
}: UpgradeListenerOptions): Promise<{ readonly port: number; close(): void }> =>
  new Promise((resolve, reject) => {
    const server = createServer((request, response) => {
      writePlain(request, response, answers).catch((error: unknown) => {
        log.error({ err: error }, 'a plain request failed')
        response.destroy()
      })
    })
    const close = (): void => {
      server.close()
      server.closeIdleConnections()
    }
    server.on('upgrade', handleUpgrade)
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      resolve({ port: typeof address === 'object' && address !== null ? address.port : port, close })
    })
  })
