import { version } from '../../shared/kernel/version.ts'
import { createOpenapi, type Openapi } from '../http/openapi/openapi.ts'

/** The description of every route; the list is loaded when it is asked for, as it holds the asking routes too. */
export const describeApi = async (baseUrl: string): Promise<Openapi> => {
  const { allRoutes } = await import('../all-routes.ts')
  return createOpenapi(allRoutes, { version, baseUrl })
}
