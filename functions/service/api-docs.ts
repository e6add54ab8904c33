import { createDocsPage } from '../http/openapi/docs-page.ts'
import { docsScript } from '../http/openapi/docs-script.ts'
import { docsStyle } from '../http/openapi/docs-style.ts'
import { route } from '../http/route.ts'
import { describeApi, type LoadRoutes } from './describe-api.ts'
import { createDocument } from './document.ts'

/** The API description as a page, served by this server alone. It works without its script. */
export const createApiDocs = (loadRoutes: LoadRoutes) => {
  const answer = createDocument('text/html; charset=utf-8', async (baseUrl) =>
    createDocsPage(await describeApi(loadRoutes, baseUrl)),
  )
  return route({
    method: 'get',
    path: '/api/docs',
    permission: 'none',
    operationId: 'openApiDocs',
    hasEtag: true,
    summary: 'This API as a page for people.',
    ignoresQuery: true,
    responses: { 200: 'The page.' },
    handle: ({ baseUrl }) => answer(baseUrl),
  })
}

/** The stylesheet of that page. The content security policy allows no inline styles. */
export const apiDocsStyle = route({
  method: 'get',
  path: '/api/docs/style.css',
  permission: 'none',
  operationId: 'getApiDocsStyle',
  summary: 'The stylesheet of that page.',
  ignoresQuery: true,
  responses: { 200: 'The style.' },
  handle: () => ({ status: 200, body: docsStyle, contentType: 'text/css; charset=utf-8' }),
})

/** The script of that page. The content security policy allows no inline scripts. */
export const apiDocsScript = route({
  method: 'get',
  path: '/api/docs/script.js',
  permission: 'none',
  operationId: 'getApiDocsScript',
  summary: 'The script of that page: search, copy buttons, and requests.',
  ignoresQuery: true,
  responses: { 200: 'The script.' },
  handle: () => ({ status: 200, body: docsScript, contentType: 'text/javascript; charset=utf-8' }),
})
