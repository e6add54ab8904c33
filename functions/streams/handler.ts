import type { LambdaFunctionURLEvent, StreamifyHandler } from 'aws-lambda'
import { createStreamingLambda } from '../http/lambda/create-streaming-lambda.ts'

/** The Lambda of this folder's routes, behind a function URL. */
export const handler: StreamifyHandler<LambdaFunctionURLEvent, Promise<void>> = createStreamingLambda(async () => {
  const [{ openLambdaApp }, { streamRoutes }] = await Promise.all([import('../lambda-app.ts'), import('./routes.ts')])
  return openLambdaApp(streamRoutes, process.env)
}, awslambda)
