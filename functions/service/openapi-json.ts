import { hashSecret } from '../../shared/kernel/ids.ts'
import { route } from '../http/route.ts'
import { describeApi, type LoadRoutes } from './describe-api.ts'

/** The API description, for tools. */
export const createOpenapiJson = (loadRoutes: LoadRoutes) =>
  route({
    method: 'get',
    path: '/api/openapi.json',
    permission: 'none',
    summary: 'This API as OpenAPI 3.1.',
    responses: { 200: 'The OpenAPI document.' },
    handle: async ({ baseUrl }) => {
      const text = JSON.stringify(await describeApi(loadRoutes, baseUrl))
      return { status: 200, body: text, contentType: 'application/json; charset=utf-8', etag: hashSecret(text).slice(0, 32) }
    },
  })
