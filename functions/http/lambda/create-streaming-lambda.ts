import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { APIGatewayProxyStructuredResultV2, LambdaFunctionURLEvent } from 'aws-lambda'
import { type LoadApp, loadOnce } from './load-once.ts'
import { createPipe } from './request-through-pipe.ts'

type Metadata = Required<Pick<APIGatewayProxyStructuredResultV2, 'statusCode' | 'headers' | 'cookies'>>

/** Of one connection, and no matter of the answer. */
const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding'])

const metadataOf = ({ statusCode = 500, headers }: IncomingMessage): Metadata => {
  const { 'set-cookie': cookies = [], ...others } = headers
  const kept = Object.entries(others).filter(([name, value]) => value !== undefined && !hopByHop.has(name))
  return { statusCode, headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])), cookies }
}

/**
 * The Lambda behind a function URL in the mode RESPONSE_STREAM. An answer of the app of `load` leaves as it is made, no faster than it is
 * taken. Making it ends when it is not taken any more. An answer that fails on its way makes the call fail, so that it is cut off.
 */
export const createStreamingLambda = (load: LoadApp, { streamifyResponse, HttpResponseStream }: typeof awslambda) => {
  const loadApp = loadOnce(load)
  return streamifyResponse<LambdaFunctionURLEvent, Promise<void>>(async (event, answer) => {
    const app = await loadApp()
    const pipe = createPipe(app, event)
    const giveUp = () => pipe.destroy()
    answer.once('close', giveUp)
    try {
      const response = await pipe.response
      const body = HttpResponseStream.from(answer, metadataOf(response))
      // Metadata goes with a first write, which an answer without a body has none of.
      body.write('')
      await pipeline(response, body)
    } finally {
      answer.removeListener('close', giveUp)
      pipe.destroy()
      await app.settle?.()
    }
  })
}
