import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A fault for one request. `lost`: it is done, but its answer does not arrive. `unprocessed`: a batch of reads, none of which is
 * done yet. `passed`: no fault.
 */
export type ProxyFault = 'ThrottlingException' | 'TransactionConflict' | 'lost' | 'silent' | 'held' | 'unprocessed' | 'passed'

/** A proxy for DynamoDB that counts requests and injects faults. */
export type DynamoProxy = {
  readonly endpoint: string
  /** The operations so far, by DynamoDB's names. */
  readonly operations: string[]
  /** The eventually consistent reads among them. */
  readonly staleReads: string[]
  /** Faults of the next requests, in order; later requests pass. */
  readonly faults: ProxyFault[]
  /** True: passes nothing on and answers nothing. False: works normally again. */
  setUnreachable(isUnreachable: boolean): void
  /** Passes on held requests, long after the client has given up; resolves when that is done. */
  release(): Promise<void>
  close(): Promise<void>
}

type Passed = { readonly method: string; readonly headers: Record<string, string | string[] | undefined>; readonly body: Buffer }

const faultBody = (fault: string): string => {
  const [type, reasons] =
    fault === 'TransactionConflict'
      ? ['TransactionCanceledException', [{ Code: 'None' }, { Code: 'TransactionConflict', Message: 'in the way' }]]
      : [fault, undefined]
  return JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'no', CancellationReasons: reasons })
}

const readBody = async (incoming: AsyncIterable<Buffer>): Promise<Buffer> => {
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece)
  return Buffer.concat(pieces)
}

const pass = async (endpoint: string, { method, headers, body }: Passed) => {
  const outgoing = request(endpoint, { method, headers, agent: false })
  outgoing.end(body)
  const [response]: IncomingMessage[] = await once(outgoing, 'response')
  if (response === undefined) throw new Error('DynamoDB gave no answer')
  return { status: response.statusCode ?? 500, headers: response.headers, body: await readBody(response) }
}

/** Listens on loopback and passes requests on to `endpoint`. */
export const startDynamoProxy = async (endpoint: string): Promise<DynamoProxy> => {
  const operations: string[] = []
  const staleReads: string[] = []
  const faults: ProxyFault[] = []
  const held: Passed[] = []
  let isUnreachable = false

  const handle = async (incoming: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const operation = String(incoming.headers['x-amz-target']).split('.').at(-1) ?? ''
    operations.push(operation)
    const fault = isUnreachable ? 'silent' : (faults.shift() ?? 'passed')
    const { host: _host, ...headers } = incoming.headers
    const passed = { method: incoming.method ?? 'POST', headers, body: await readBody(incoming) }
    if (/^(.*GetItems?|Query|Scan)$/.test(operation) && !passed.body.includes('"ConsistentRead":true')) staleReads.push(operation)
    if (fault === 'held') held.push(passed)
    else if (fault === 'passed' || fault === 'lost') {
      const response = await pass(endpoint, passed)
      if (fault === 'lost') answer.destroy()
      else answer.writeHead(response.status, response.headers).end(response.body)
    } else if (fault === 'unprocessed') {
      const { RequestItems } = JSON.parse(passed.body.toString())
      const body = JSON.stringify({ Responses: {}, UnprocessedKeys: RequestItems })
      answer.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(body)
    } else if (fault !== 'silent') answer.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(faultBody(fault))
  }

  const server = createServer((incoming, answer) => {
    handle(incoming, answer).catch(() => answer.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address: AddressInfo | string | null = server.address()
  return {
    endpoint: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    operations,
    staleReads,
    faults,
    setUnreachable: (is) => {
      isUnreachable = is
    },
    release: async () => {
      await Promise.all(held.splice(0).map((passed) => pass(endpoint, passed)))
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
