import type { APIGatewayProxyHandlerV2 } from 'aws-lambda'
import { createLambda } from '../http/lambda/create-lambda.ts'

/** Every route is described here, and loaded for that alone. */
const loadAllRoutes = async () => (await import('../all-routes.ts')).allRoutes

/** The Lambda of this folder's routes, of the pages, and of those about real-time nodes, which too are asked by anybody and read next to nothing. */
export const handler: APIGatewayProxyHandlerV2 = createLambda(async () => {
  const [{ openLambdaApp }, { createServiceRoutes }, { realtimeRoutes }, { pageRoutes }] = await Promise.all([
    import('../lambda-app.ts'),
    import('./routes.ts'),
    import('../realtime/routes.ts'),
    import('../pages/routes.ts'),
  ])
  return openLambdaApp([...createServiceRoutes(loadAllRoutes), ...realtimeRoutes, ...pageRoutes], process.env)
})
