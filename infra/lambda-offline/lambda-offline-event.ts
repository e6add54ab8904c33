import type { Context, LambdaFunctionURLEvent } from 'aws-lambda'

export type LambdaRequest = {
  readonly method: string
  /** The path with its query. */
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | undefined
  readonly sourceIp?: string
}

const requestId = 'JKJaXmPLvHcESHA='
const host = 'id.lambda-url.eu-central-1.on.aws'

/**
 * The event with which API Gateway (HTTP API, payload 2.0) and function URLs send a request: header names in lower case,
 * cookies in a separate list, the body as base64.
 */
export const createLambdaEvent = ({ method, target, headers = {}, body, sourceIp = '127.0.0.1' }: LambdaRequest) => {
  const [rawPath = '/', ...search] = target.split('?')
  const { cookie, ...others } = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const event: LambdaFunctionURLEvent = {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString: search.join('?'),
    headers: { host, 'x-forwarded-proto': 'https', ...others },
    ...(cookie === undefined ? {} : { cookies: cookie.split('; ') }),
    requestContext: {
      accountId: 'anonymous',
      apiId: 'id',
      domainName: host,
      domainPrefix: 'id',
      requestId,
      routeKey: '$default',
      stage: '$default',
      http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp, userAgent: others['user-agent'] ?? '' },
      time: '27/Nov/2026:00:00:00 +0000',
      timeEpoch: Date.UTC(2026, 10, 27),
    },
    ...(body === undefined ? {} : { body: Buffer.from(body).toString('base64') }),
    isBase64Encoded: body !== undefined,
  }
  return event
}

const unsupported = () => {
  throw new Error('callbacks are not supported: return a promise')
}

/** The context of a call outside AWS. */
export const createLambdaContext = (): Context => ({
  callbackWaitsForEmptyEventLoop: false,
  functionName: 'gatehouse',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:eu-central-1:000000000000:function:gatehouse',
  memoryLimitInMB: '1024',
  awsRequestId: requestId,
  logGroupName: '/aws/lambda/gatehouse',
  logStreamName: 'offline',
  getRemainingTimeInMillis: () => 30_000,
  done: unsupported,
  fail: unsupported,
  succeed: unsupported,
})
