import type { RequestListener } from 'node:http'
import { createLambda } from '../../../functions/http/lambda/create-lambda.ts'
import { type Door, readAnswer } from './door.ts'

type Answer = {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly isBase64Encoded: boolean
  readonly cookies: readonly string[]
}

/** What API Gateway (HTTP API, payload 2.0) hands to a Lambda for this request: lower-case headers, cookies apart, its own request id, base64 for what is not text. */
export const createLambdaEvent = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array | undefined,
) => {
  const [rawPath = '/', ...search] = path.split('?')
  const { cookie, ...lowered } = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const length = body === undefined ? {} : { 'content-length': String(body.length) }
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString: search.join('?'),
    headers: { host: 'api.example.org', 'x-forwarded-proto': 'https', ...length, ...lowered },
    ...(cookie === undefined ? {} : { cookies: cookie.split('; ') }),
    requestContext: {
      requestId: 'JKJaXmPLvHcESHA=',
      stage: '$default',
      http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'test' },
    },
    ...(body === undefined ? {} : { body: Buffer.from(body).toString('base64') }),
    isBase64Encoded: body !== undefined,
  }
}

/** The app behind serverless-http, as it runs in AWS. */
export const openLambdaDoor = async (app: RequestListener): Promise<Door> => {
  const handler = createLambda(async () => app)
  return {
    send: async (method, path, headers, body) => {
      const {
        statusCode,
        headers: answered,
        body: encoded,
        isBase64Encoded,
        cookies,
      } = (await handler(createLambdaEvent(method, path, headers, body), {})) as Answer
      const bytes = Buffer.from(encoded, isBase64Encoded ? 'base64' : 'utf8')
      return readAnswer(statusCode, cookies.length === 0 ? answered : { ...answered, 'set-cookie': cookies.join(', ') }, bytes)
    },
    close: async () => undefined,
  }
}
