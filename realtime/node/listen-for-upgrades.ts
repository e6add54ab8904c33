import { createServer, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Ids, requestIdOf } from '../../shared/kernel/ids.ts'
import { isForAnyHost, misdirected } from '../../shared/kernel/known-hosts.ts'
import type { Log } from '../../shared/kernel/log.ts'
import type { PlainAnswers } from '../socket/answer-plain-requests.ts'
import { answerPlainRequest, pathOf } from '../socket/answer-plain-requests.ts'
import { createRefusalAnswer, refuseUpgrade } from '../socket/refuse-upgrade.ts'

export type UpgradeListenerOptions = {
  readonly handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  readonly port: number
  readonly host: string
  /** What a GET is answered by its path; anything else but an upgrade is answered 426. */
  readonly answers: PlainAnswers
  /** Whether the server answers to the host name of a request. Off loopback, health checks come by any name. */
  readonly acceptsHost?: (request: IncomingMessage) => boolean
  readonly ids: Pick<Ids, 'uuid'>
  readonly log: Log
}

/** Listens for upgrades on a port of its own, which may be 0 for any that is free; rejects when it cannot. */
export const listenForUpgrades = ({
  port,
  host,
  answers,
  handleUpgrade,
  acceptsHost = () => true,
  ids,
  log,
}: UpgradeListenerOptions): Promise<{ readonly port: number; close(): void }> =>
  new Promise((resolve, reject) => {
    const server = createServer((request, response) => {
      if (!acceptsHost(request) && !isForAnyHost(pathOf(request), host)) {
        response.writeHead(421, { Connection: 'close' }).end()
        return
      }
      answerPlainRequest(request, response, answers).catch((error: unknown) => {
        log.error({ err: error }, 'a plain request failed')
        response.destroy()
      })
    })
    const close = (): void => {
      server.close()
      server.closeIdleConnections()
    }
    server.on('upgrade', (request, socket, head) => {
      if (acceptsHost(request)) handleUpgrade(request, socket, head)
      else {
        const requestId = requestIdOf(request.headers['x-request-id'], ids)
        refuseUpgrade(socket, createRefusalAnswer(misdirected(), pathOf(request), requestId))
      }
    })
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      resolve({ port: typeof address === 'object' && address !== null ? address.port : port, close })
    })
  })
