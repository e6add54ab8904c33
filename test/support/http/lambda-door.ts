import type { RequestListener } from 'node:http'
import { createLambda } from '../../../functions/http/lambda/create-lambda.ts'
import { createLambdaContext, createLambdaEvent } from '../../../infra/lambda-offline/lambda-offline-event.ts'
import { type Door, readAnswer } from './door.ts'

/** The app behind serverless-http, as it runs in AWS. */
export const openLambdaDoor = async (app: RequestListener): Promise<Door> => {
  const handler = createLambda(async () => app)
  return {
    send: async (method, path, headers, body) => {
      const length = body === undefined ? {} : { 'content-length': String(body.length) }
      const event = createLambdaEvent({ method, target: path, headers: { ...length, ...headers }, body })
      const answer = await handler(event, createLambdaContext())
      const { statusCode, headers: answered = {}, body: encoded = '', isBase64Encoded = false, cookies = [] } = answer
      const bytes = Buffer.from(encoded, isBase64Encoded ? 'base64' : 'utf8')
      const lines = Object.fromEntries(Object.entries(answered).map(([name, value]) => [name, String(value)]))
      return readAnswer(statusCode, cookies.length === 0 ? lines : { ...lines, 'set-cookie': cookies.join(', ') }, bytes)
    },
    close: async () => undefined,
  }
}
