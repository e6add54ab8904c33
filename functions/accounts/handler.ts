import { createLambda } from '../http/lambda/create-lambda.ts'

/** The Lambda of this folder's routes, and of sanctions, which are of accounts too. */
export const handler = createLambda(async () => {
  const [{ openLambdaApp }, { accountRoutes }, { sanctionRoutes }] = await Promise.all([
    import('../lambda-app.ts'),
    import('./routes.ts'),
    import('../sanctions/routes.ts'),
  ])
  return openLambdaApp([...accountRoutes, ...sanctionRoutes], process.env)
})
