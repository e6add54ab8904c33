import type { Route } from '../http/route.ts'
import { apiDocs, apiDocsStyle } from './api-docs.ts'
import { healthz } from './healthz.ts'
import { home } from './home.ts'
import { openapiJson } from './openapi-json.ts'
import { problemHelp } from './problem-help.ts'
import { readyz } from './readyz.ts'

export const serviceRoutes: readonly Route[] = [home, healthz, readyz, openapiJson, apiDocs, apiDocsStyle, problemHelp]
