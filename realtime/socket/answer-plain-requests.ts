import type { IncomingMessage, ServerResponse } from 'node:http'

/** An answer to a plain GET, with a JSON body. */
export type PlainAnswer = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object
}

/** Answers of plain GETs by path. */
export type PlainAnswers = ReadonlyMap<string, () => Promise<PlainAnswer>>

/** The path of a request, without the query. */
export const pathOf = (request: IncomingMessage): string => (request.url ?? '').split('?', 1)[0] ?? ''

/** Answers a GET of one of `answers`. Other requests get 426. */
export const answerPlainRequest = async (
  request: IncomingMessage,
  response: ServerResponse,
  answers: PlainAnswers,
): Promise<void> => {
  const answer = request.method === 'GET' || request.method === 'HEAD' ? answers.get(pathOf(request)) : undefined
  if (answer === undefined) {
    response.writeHead(426, { Connection: 'Upgrade', Upgrade: 'websocket' }).end()
    return
  }
  const { status, headers, body } = await answer()
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  })
  response.end(JSON.stringify(body))
}
