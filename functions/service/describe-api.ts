import { version } from '../../shared/kernel/version.ts'
import { createOpenapi, type Openapi } from '../http/openapi/openapi.ts'
import type { Route } from '../http/route.ts'

/** Resolves to the routes to describe, these included. Called at the first request. */
export type LoadRoutes = () => Promise<readonly Route[]>

export const describeApi = async (loadRoutes: LoadRoutes, baseUrl: string): Promise<Openapi> => {
  // Like the routes, loaded only if someone reads the description.
  const [routes, { schemaNames }] = await Promise.all([loadRoutes(), import('../schema-names.ts')])
  return createOpenapi(routes, { version, baseUrl, names: schemaNames })
}
