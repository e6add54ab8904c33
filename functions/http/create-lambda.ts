import type { RequestListener } from 'node:http'
import serverless from 'serverless-http'
import { answerWhole } from './whole-answers.ts'

/** A Lambda for API Gateway (HTTP API, payload 2.0), a load balancer or a function URL. */
export type Lambda = (event: object, context: object) => Promise<object>

/** A Lambda's answer is one JSON value of at most 6 MiB, in which ours grows by up to a third. */
const answerBytesMax = 4 * 1024 * 1024

/** The Lambda that answers by the app of `load`, which runs once a process, at the first event, and again after it failed. */
export const createLambda = (load: () => Promise<RequestListener>): Lambda => {
  let started: Promise<Lambda> | undefined
  const start = async (): Promise<Lambda> => {
    try {
      return serverless(answerWhole(await load(), answerBytesMax), { requestId: '' })
    } catch (error) {
      started = undefined
      throw error
    }
  }
  return async (event, context) => {
    started ??= start()
    return (await started)(event, context)
  }
}
