import type { APIGatewayProxyHandlerV2 } from 'aws-lambda'
import { createLambda } from '../http/lambda/create-lambda.ts'

/** Loads every route, only to describe it. */
const loadAllRoutes = async () => (await import('../all-routes.ts')).allRoutes

/**
 * The Lambda of this folder's routes, of the pages, and of the routes about real-time nodes. All of them are public and read
 * almost nothing.
 */
export const handler: APIGatewayProxyHandlerV2 = createLambda(async () => {
  const [{ openLambdaApp }, { createServiceRoutes }, { realtimeRoutes }, { pageRoutes }] = await Promise.all([
    import('../lambda-app.ts'),
    import('./routes.ts'),
    import('../realtime/routes.ts'),
    import('../pages/routes.ts'),
  ])
  return openLambdaApp([...createServiceRoutes(loadAllRoutes), ...realtimeRoutes, ...pageRoutes], process.env)
})
