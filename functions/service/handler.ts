import { createLambda } from '../http/lambda/create-lambda.ts'

/** The Lambda of this folder's routes, and of those about real-time nodes, which too are asked by anybody and read next to nothing. */
export const handler = createLambda(async () => {
  const [{ openLambdaApp }, { serviceRoutes }, { realtimeRoutes }] = await Promise.all([
    import('../lambda-app.ts'),
    import('./routes.ts'),
    import('../realtime/routes.ts'),
  ])
  return openLambdaApp([...serviceRoutes, ...realtimeRoutes], process.env)
})
