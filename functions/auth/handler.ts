import type { APIGatewayProxyHandlerV2 } from 'aws-lambda'
import { createLambda } from '../http/lambda/create-lambda.ts'

export const handler: APIGatewayProxyHandlerV2 = createLambda(async () => {
  const [{ openLambdaApp }, { authRoutes }] = await Promise.all([import('../lambda-app.ts'), import('./routes.ts')])
  return openLambdaApp(authRoutes, process.env)
})
