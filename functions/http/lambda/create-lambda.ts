import type { ALBEvent, ALBResult, APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import serverless from 'serverless-http'
import { answerWhole } from '../answer/whole-answers.ts'
import { type LoadApp, loadOnce } from './load-once.ts'

/** An event of API Gateway (HTTP API, payload 2.0), of a function URL (the same form), or of a load balancer. */
export type LambdaEvent = APIGatewayProxyEventV2 | ALBEvent

/** An answer that API Gateway, a function URL and a load balancer understand. */
export type LambdaAnswer = APIGatewayProxyStructuredResultV2 & ALBResult

export type Lambda = (event: LambdaEvent, context: Context) => Promise<LambdaAnswer>

/** A Lambda's answer is one JSON value of at most 6 MiB, in which ours grows by up to a third. */
const answerBytesMax = 4 * 1024 * 1024

/** serverless-http declares its answer as any object. */
const isAnswer = (answer: object): answer is LambdaAnswer => 'statusCode' in answer && typeof answer.statusCode === 'number'

/** serverless-http joins header lines with `, `, which is wrong for cookies: RFC 6265 joins them with `; `. */
const withOneCookieLine = (event: LambdaEvent): LambdaEvent => {
  if (!('multiValueHeaders' in event) || event.multiValueHeaders === undefined) return event
  const lines = Object.entries(event.multiValueHeaders).map(([name, values = []]) => [
    name,
    name.toLowerCase() === 'cookie' ? [values.join('; ')] : values,
  ])
  return { ...event, multiValueHeaders: Object.fromEntries(lines) }
}

/**
 * Creates a Lambda that answers with the app of `load`, which runs once a process, at the first event, and again after a
 * failure. Events get a 503 while Redis or DynamoDB prevent its start. Any other failure fails the call.
 */
export const createLambda = (load: LoadApp): Lambda => {
  const loadApp = loadOnce(load)
  return async (event, context) => {
    const app = await loadApp()
    try {
      const handle = serverless(answerWhole(app, answerBytesMax), { requestId: '', binary: ['image/png'] })
      const answer = await handle(withOneCookieLine(event), context)
      if (!isAnswer(answer)) throw new Error('serverless-http returned an answer without a status')
      return answer
    } finally {
      await app.settle?.()
    }
  }
}
