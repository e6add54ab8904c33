import { version } from '../../shared/kernel/version.ts'
import { route } from '../http/route.ts'
import { createDocument } from './document.ts'
import { socketsDescription } from './generated/asyncapi.ts'

const describeServer = (baseUrl: string) => {
  const { protocol, host, pathname } = new URL(baseUrl)
  return {
    host,
    protocol: protocol === 'https:' ? 'wss' : 'ws',
    ...(pathname !== '/' && { pathname }),
    security: [{ $ref: '#/components/securitySchemes/bearer' }],
  }
}

const answer = createDocument('application/json; charset=utf-8', (baseUrl) =>
  JSON.stringify({
    asyncapi: '3.0.0',
    info: { title: 'Gatehouse', version, description: 'The WebSocket messages; the rest is at /api/openapi.json.' },
    defaultContentType: 'application/json',
    servers: { gatehouse: describeServer(baseUrl) },
    ...socketsDescription,
  }),
)

export const asyncapiJson = route({
  method: 'get',
  path: '/api/asyncapi.json',
  permission: 'none',
  operationId: 'getAsyncapi',
  hasEtag: true,
  summary: 'The WebSockets of feeds and players as AsyncAPI 3.',
  responses: { 200: 'The AsyncAPI document.' },
  handle: ({ baseUrl }) => answer(baseUrl),
})
