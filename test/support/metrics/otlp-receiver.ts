import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { waitFor } from '../time/wait-for.ts'

type Attributes = readonly { readonly key: string; readonly value: Record<string, unknown> }[]
type SentSpan = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes?: Attributes
  readonly status?: { readonly code?: number }
}
type Body = {
  readonly resourceSpans: readonly {
    readonly resource?: { readonly attributes?: Attributes }
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[]
  }[]
}

/** A span as it arrived; kind 2 is a server's, 3 a client's, status 2 an error. */
export type ReceivedSpan = Omit<SentSpan, 'attributes'> & {
  readonly facts: Readonly<Record<string, unknown>>
  readonly resource: Readonly<Record<string, unknown>>
}

const readFacts = (attributes: Attributes = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

const readSpans = ({ resourceSpans }: Body): ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes, ...span }) => ({
        ...span,
        facts: readFacts(attributes),
        resource: readFacts(resource?.attributes),
      })),
    ),
  )

/** Receives traces over OTLP/HTTP in JSON, as a collector does, on a loopback port. */
export const startOtlpReceiver = async () => {
  const spans: ReceivedSpan[] = []
  const texts: string[] = []
  const state = { status: 200 }
  const server = createServer(async (req, res) => {
    let text = ''
    for await (const piece of req) text += String(piece)
    if (state.status === 200 && req.url === '/v1/traces') {
      texts.push(text)
      spans.push(...readSpans(JSON.parse(text)))
    }
    res.writeHead(state.status, { 'Content-Type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    /** In order of arrival. */
    spans,
    /** All request bodies, unchanged. */
    texts,
    /** Sets the status of later answers; spans are kept only with 200. */
    answer: (status: number) => {
      state.status = status
    },
    waitForSpan: async (isIt: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> => {
      await waitFor(() => spans.some(isIt))
      return spans.find(isIt) as ReceivedSpan
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

export type OtlpReceiver = Awaited<ReturnType<typeof startOtlpReceiver>>
