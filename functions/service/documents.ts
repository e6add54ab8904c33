import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { hashSecret } from '../../shared/kernel/ids.ts'
import { version } from '../../shared/kernel/version.ts'
import { createDocsPage } from '../http/openapi/docs-page.ts'
import { docsScript } from '../http/openapi/docs-script.ts'
import { docsStyle } from '../http/openapi/docs-style.ts'
import { type Reply, route } from '../http/route.ts'
import { describeApi, type LoadRoutes } from './describe-api.ts'
import { socketsDescription } from './generated/asyncapi.ts'

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const

/** Higher levels take a second for each document, and save a few percent. */
const brQuality = 9

const createReply = async (contentType: string, text: string): Promise<Reply> => {
  const body = Buffer.from(text)
  const [br, gzipped] = await Promise.all([
    compressors.br(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: brQuality, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
    compressors.gzip(body),
  ])
  return { status: 200, body, contentType, encoded: { br, gzip: gzipped }, etag: hashSecret(text).slice(0, 32) }
}

/**
 * Answers with the text of `make`, which is made and compressed once for each base address: anyone may request it, as often as
 * they like. A failed attempt is repeated at the next request.
 */
const createDocument = (contentType: string, make: (baseUrl: string) => string | Promise<string>) => {
  // A process has one base address; only tests have several.
  let latest: { readonly baseUrl: string; readonly reply: Promise<Reply> } | undefined
  return (baseUrl: string): Promise<Reply> => {
    if (latest?.baseUrl === baseUrl) return latest.reply
    const made = {
      baseUrl,
      reply: Promise.resolve(baseUrl)
        .then(make)
        .then((text) => createReply(contentType, text)),
    }
    latest = made
    made.reply.catch(() => {
      if (latest === made) latest = undefined
    })
    return made.reply
  }
}

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
