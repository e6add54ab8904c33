import serverless from 'serverless-http'
import { answerWhole } from '../answer/whole-answers.ts'
import { type LoadApp, loadOnce } from './load-once.ts'

/** A Lambda for API Gateway (HTTP API, payload 2.0), a load balancer or a function URL. */
export type Lambda = (event: object, context: object) => Promise<object>

/** A Lambda's answer is one JSON value of at most 6 MiB, in which ours grows by up to a third. */
const answerBytesMax = 4 * 1024 * 1024

/**
 * The Lambda that answers by the app of `load`, which runs once a process, at the first event, and again after it failed. Events are
 * answered with 503 while Redis or DynamoDB keep it from starting; for any other failure the call fails.
 */
export const createLambda = (load: LoadApp): Lambda => {
  const loadApp = loadOnce(load)
  return async (event, context) => {
    const app = await loadApp()
    try {
      return await serverless(answerWhole(app, answerBytesMax), { requestId: '', binary: ['image/png'] })(event, context)
    } finally {
      await app.settle?.()
    }
  }
}
