import type { Route } from '../http/route.ts'
import { apiDocsScript, apiDocsStyle, createApiDocs } from './api-docs.ts'
import { asyncapiJson } from './asyncapi-json.ts'
import type { LoadRoutes } from './describe-api.ts'
import { healthz } from './healthz.ts'
import { home } from './home.ts'
import { createOpenapiJson } from './openapi-json.ts'
import { problemHelp } from './problem-help.ts'
import { readyz } from './readyz.ts'
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
