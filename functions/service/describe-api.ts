import { version } from '../../shared/kernel/version.ts'
import { createOpenapi, type Openapi } from '../http/openapi/openapi.ts'
import type { Route } from '../http/route.ts'

/** Resolves to the routes to describe, those that describe among them; called when somebody asks. */
export type LoadRoutes = () => Promise<readonly Route[]>

export const describeApi = async (loadRoutes: LoadRoutes, baseUrl: string): Promise<Openapi> =>
  createOpenapi(await loadRoutes(), { version, baseUrl })
