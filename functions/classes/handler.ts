import { createApp } from '../app.ts'
import { createHttpDeps } from '../create-deps.ts'
import { createLambda } from '../http/create-lambda.ts'
import { classRoutes } from './routes.ts'

/** The Lambda of this folder's routes. */
export const handler = createLambda(async () => createApp(classRoutes, await createHttpDeps(process.env)))
