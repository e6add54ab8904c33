import { createApp } from '../app.ts'
import { createHttpDeps } from '../create-deps.ts'
import { createLambda } from '../http/create-lambda.ts'
import { configRoutes } from './routes.ts'

/** The Lambda of this folder's routes. */
export const handler = createLambda(async () => createApp(configRoutes, await createHttpDeps(process.env)))
