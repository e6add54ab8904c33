import { createLambda } from '../http/create-lambda.ts'

/** The Lambda of this folder's routes. */
export const handler = createLambda(async () => {
  const [{ openLambdaApp }, { serviceRoutes }] = await Promise.all([import('../lambda-app.ts'), import('./routes.ts')])
  return openLambdaApp(serviceRoutes, process.env)
})
