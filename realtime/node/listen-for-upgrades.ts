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
  /** Answers of GET requests by path. Anything else but an upgrade gets 426. */
  readonly answers: PlainAnswers
  /** Whether the server accepts the host name of a request. Except on loopback, health checks use any name. */
  readonly acceptsHost?: (request: IncomingMessage) => boolean
  readonly ids: Pick<Ids, 'uuid'>
  readonly log: Log
}

/** Listens for upgrades on a separate port. Port 0 selects a free one. Rejects if it cannot listen. */
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
