import { createStreamingLambda, type StreamingRuntime } from '../http/lambda/create-streaming-lambda.ts'

declare const awslambda: StreamingRuntime

/** The Lambda of this folder's routes, behind a function URL. */
export const handler = createStreamingLambda(async () => {
  const [{ openLambdaApp }, { streamRoutes }] = await Promise.all([import('../lambda-app.ts'), import('./routes.ts')])
  return openLambdaApp(streamRoutes, process.env)
}, awslambda)
