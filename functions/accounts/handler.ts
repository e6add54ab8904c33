import { createLambda } from '../http/lambda/create-lambda.ts'

/** The Lambda of this folder's routes, of sanctions, of undo, of jobs, and of those who are online. */
export const handler = createLambda(async () => {
  const [{ openLambdaApp }, { accountRoutes }, { sanctionRoutes }, { undoRoutes }, { jobRoutes }, { liveRoutes }] =
    await Promise.all([
      import('../lambda-app.ts'),
      import('./routes.ts'),
      import('../sanctions/routes.ts'),
      import('../undo/routes.ts'),
      import('../jobs/routes.ts'),
      import('../live/routes.ts'),
    ])
  return openLambdaApp([...accountRoutes, ...sanctionRoutes, ...undoRoutes, ...jobRoutes, ...liveRoutes], process.env)
})
