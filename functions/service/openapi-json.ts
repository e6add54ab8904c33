import { route } from '../http/route.ts'
import { describeApi, type LoadRoutes } from './describe-api.ts'
import { createDocument } from './document.ts'

export const createOpenapiJson = (loadRoutes: LoadRoutes) => {
  const answer = createDocument('application/json; charset=utf-8', async (baseUrl) =>
    JSON.stringify(await describeApi(loadRoutes, baseUrl)),
  )
  return route({
    method: 'get',
    path: '/api/openapi.json',
    permission: 'none',
    operationId: 'getOpenapi',
    hasEtag: true,
    summary: 'This API as OpenAPI 3.1.',
    responses: { 200: 'The OpenAPI document.' },
    handle: ({ baseUrl }) => answer(baseUrl),
  })
}
