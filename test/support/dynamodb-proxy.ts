import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to a request instead of being passed on and answered; `lost` is done, but its answer does not arrive. */
export type ProxyFault = 'ThrottlingException' | 'TransactionConflict' | 'lost' | 'silent'

/** A DynamoDB behind a door that counts and can fail. */
export type DynamoProxy = {
  readonly endpoint: string
  /** The operations that came through so far, as DynamoDB names them. */
  readonly operations: string[]
  /** Befalls the next requests in turn, those without one pass. */
  readonly faults: ProxyFault[]
  close(): Promise<void>
}

const faultBody = (fault: string): string => {
  const [type, reasons] =
    fault === 'TransactionConflict'
      ? ['TransactionCanceledException', [{ Code: 'None' }, { Code: 'TransactionConflict', Message: 'in the way' }]]
      : [fault, undefined]
  return JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'no', CancellationReasons: reasons })
}

/** Listens on loopback and passes requests on to `endpoint`. */
export const startDynamoProxy = async (endpoint: string): Promise<DynamoProxy> => {
  const operations: string[] = []
  const faults: ProxyFault[] = []
  const server = createServer((incoming, answer) => {
    operations.push(String(incoming.headers['x-amz-target']).split('.').at(-1) ?? '')
    const fault = faults.shift()
    if (fault === 'silent') return
    if (fault !== undefined && fault !== 'lost') {
      incoming.resume()
      answer.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(faultBody(fault))
      return
    }
    const { host: _host, ...headers } = incoming.headers
    const outgoing = request(endpoint, { method: incoming.method ?? 'POST', path: incoming.url ?? '/', headers }, (response) => {
      if (fault === 'lost') {
        response.resume()
        response.once('end', () => answer.destroy())
        return
      }
      answer.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(answer)
    })
    outgoing.once('error', () => answer.destroy())
    incoming.pipe(outgoing)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address: AddressInfo | string | null = server.address()
  return {
    endpoint: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    operations,
    faults,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
