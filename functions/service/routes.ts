import type { Route } from '../http/route.ts'
import type { LoadRoutes } from './describe-api.ts'
import { apiDocsScript, apiDocsStyle, asyncapiJson, createApiDocs, createOpenapiJson } from './documents.ts'
import { healthz, readyz } from './health.ts'
import { home } from './home.ts'
import { problemHelp } from './problem-help.ts'
import { securityTxt } from './security-txt.ts'

/** The routes about the service itself. Two of them describe the routes of `loadRoutes`. */
export const createServiceRoutes = (loadRoutes: LoadRoutes): readonly Route[] => [
  home,
  healthz,
  readyz,
  createOpenapiJson(loadRoutes),
  asyncapiJson,
  createApiDocs(loadRoutes),
  apiDocsStyle,
  apiDocsScript,
  problemHelp,
  securityTxt,
]
