import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { route } from '../http/route.ts'
import { filePolicy } from './page-policy.ts'

/** The name of the tarball stays the same when its content changes. */
const cacheControlOf = (name: string): string => (name.endsWith('.tgz') ? 'no-cache' : 'public, max-age=31536000, immutable')

/** A script, style or picture of a page, or the client library. All but the last have a new name for new content, so browsers cache them. */
export const pageFile = route({
  method: 'get',
  path: '/pages/:file',
  permission: 'none',
  operationId: 'getPageFile',
  hasEtag: true,
  summary: 'A file of a page, or the client library as a tarball for npm: `gatehouse-client.tgz`.',
  ignoresQuery: true,
  params: ClosedObject({ file: Type.String() }),
  responses: { 200: 'The file.' },
  problems: ['not-found'],
  handle: async ({ pages }, { params }) => {
    const file = await pages.findFile(params.file)
    if (file === undefined) throw new AppError('not-found', 'not-found', 'No page has a file with this name.')
    return {
      status: 200,
      body: file.bytes,
      encoded: file.encoded,
      contentType: file.contentType,
      etag: file.etag,
      headers: { 'Cache-Control': cacheControlOf(params.file), 'Content-Security-Policy': filePolicy },
    }
  },
})
