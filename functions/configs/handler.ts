import type { APIGatewayProxyHandlerV2 } from 'aws-lambda'
import { createLambda } from '../http/lambda/create-lambda.ts'

export const handler: APIGatewayProxyHandlerV2 = createLambda(async () => {
  const [{ openLambdaApp }, { configRoutes }] = await Promise.all([import('../lambda-app.ts'), import('./routes.ts')])
  return openLambdaApp(configRoutes, process.env)
})
