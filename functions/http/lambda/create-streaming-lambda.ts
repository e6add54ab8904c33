import type { LambdaFunctionURLEvent } from 'aws-lambda'
import { type LoadApp, loadOnce } from './load-once.ts'
import { streamAnswer } from './stream-answer.ts'

/**
 * Creates the Lambda behind a function URL in the mode RESPONSE_STREAM. The app of `load` sends its answer as it creates it, no
 * faster than the client reads, and stops when the client disconnects. An answer that fails after its head fails the call,
 * which cuts the answer off.
 */
export const createStreamingLambda = (load: LoadApp, { streamifyResponse, HttpResponseStream }: typeof awslambda) => {
  const loadApp = loadOnce(load)
  return streamifyResponse<LambdaFunctionURLEvent, Promise<void>>(async (event, stream) => {
    const app = await loadApp()
    const answer = streamAnswer(app, event, (head) => {
      const body = HttpResponseStream.from(stream, head)
      // The head goes with the first write, and an answer without a body has none.
      body.write('')
      return body
    })
    stream.once('close', answer.destroy)
    try {
      await answer.done
    } finally {
      stream.removeListener('close', answer.destroy)
      answer.destroy()
      await app.settle?.()
    }
  })
}
