import { once } from 'node:events'
import { createServer } from 'node:http'

/** A proxy for DynamoDB that records actions and tables by their IAM names: `records dynamodb:PutItem`. */
export type DynamoRecorder = {
  readonly endpoint: string
  /** Returns the records since the last call, without duplicates, in alphabetical order. */
  take(): readonly string[]
  close(): Promise<void>
}

type Asked = {
  readonly TableName?: string
  readonly RequestItems?: Readonly<Record<string, unknown>>
  readonly TransactItems?: readonly Readonly<Record<string, { readonly TableName: string }>>[]
}

/** A transaction needs the permission for each of its writes, under the name of the single write. */
const actionOf = (kind: string): string => (kind === 'ConditionCheck' ? 'ConditionCheckItem' : `${kind}Item`)

const listAsked = (
  operation: string,
  { TableName, RequestItems, TransactItems }: Asked,
): readonly (readonly [string, string])[] => {
  if (TableName !== undefined) return [[TableName, operation]]
  if (RequestItems !== undefined) return Object.keys(RequestItems).map((table) => [table, operation])
  return (TransactItems ?? []).flatMap((item) =>
    Object.entries(item).map(([kind, write]) => [write.TableName, actionOf(kind)] as const),
  )
}

/** Listens on loopback and passes everything on to `endpoint`. */
export const startDynamoRecorder = async (endpoint: string, tablePrefix: string): Promise<DynamoRecorder> => {
  let seen = new Set<string>()
  const server = createServer(async (req, res) => {
    const pieces: Buffer[] = []
    for await (const piece of req) pieces.push(piece)
    const body = Buffer.concat(pieces)
    const operation = String(req.headers['x-amz-target']).split('.').at(-1) ?? ''
    for (const [table, action] of listAsked(operation, JSON.parse(body.toString('utf8')) as Asked))
      seen.add(`${table.slice(tablePrefix.length)} dynamodb:${action}`)
    const headers = Object.entries(req.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined || ['host', 'connection', 'content-length'].includes(name) ? [] : [[name, String(value)]],
    )
    const answer = await fetch(endpoint, { method: 'POST', headers, body })
    const bytes = Buffer.from(await answer.arrayBuffer())
    res.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0', 'content-length': bytes.length }).end(bytes)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    endpoint: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    take: () => {
      const taken = [...seen].sort()
      seen = new Set()
      return taken
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
