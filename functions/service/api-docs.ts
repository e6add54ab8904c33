import { createDocsPage } from '../http/openapi/docs-page.ts'
import { docsStyle } from '../http/openapi/docs-style.ts'
import { route } from '../http/route.ts'
import { describeApi, type LoadRoutes } from './describe-api.ts'
import { createDocument } from './document.ts'

/** The API description, for people: no script, nothing from elsewhere. */
export const createApiDocs = (loadRoutes: LoadRoutes) => {
  const answer = createDocument('text/html; charset=utf-8', async (baseUrl) =>
    createDocsPage(await describeApi(loadRoutes, baseUrl)),
  )
  return route({
    method: 'get',
    path: '/api/docs',
    permission: 'none',
    summary: 'This API as a page to read.',
    ignoresQuery: true,
    responses: { 200: 'The page.' },
    handle: ({ baseUrl }) => answer(baseUrl),
  })
}

/** The style of that page, served because the content security policy takes none that stands in a page. */
export const apiDocsStyle = route({
  method: 'get',
  path: '/api/docs/style.css',
  permission: 'none',
  summary: 'The style of the page to read.',
  ignoresQuery: true,
  responses: { 200: 'The style.' },
  handle: () => ({ status: 200, body: docsStyle, contentType: 'text/css; charset=utf-8' }),
})
