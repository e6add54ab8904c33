import type { APIGatewayProxyHandlerV2 } from 'aws-lambda'
import { createLambda } from '../http/lambda/create-lambda.ts'

/** The Lambda of this folder's routes and of sanctions, modules, undo, jobs, backups and connected players. */
export const handler: APIGatewayProxyHandlerV2 = createLambda(async () => {
  const [
    { openLambdaApp },
    { accountRoutes },
    { sanctionRoutes },
    { moduleRoutes },
    { undoRoutes },
    { jobRoutes },
    { backupRoutes },
    { liveRoutes },
  ] = await Promise.all([
    import('../lambda-app.ts'),
    import('./routes.ts'),
    import('../sanctions/routes.ts'),
    import('../modules/routes.ts'),
    import('../undo/routes.ts'),
    import('../jobs/routes.ts'),
    import('../backups/routes.ts'),
    import('../live/routes.ts'),
  ])
  return openLambdaApp(
    [...accountRoutes, ...sanctionRoutes, ...moduleRoutes, ...undoRoutes, ...jobRoutes, ...backupRoutes, ...liveRoutes],
    process.env,
  )
})
