import type { RequestListener } from 'node:http'
import serverless from 'serverless-http'

/** A Lambda for API Gateway (HTTP API, payload 2.0), a load balancer or a function URL. */
export type Lambda = (event: object, context: object) => Promise<object>

/** The Lambda that answers by the app of `load`, which runs once a process, at the first event, and again after it failed. */
export const createLambda = (load: () => Promise<RequestListener>): Lambda => {
  let started: Promise<Lambda> | undefined
  const start = async (): Promise<Lambda> => {
    try {
      return serverless(await load(), { requestId: '' })
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
