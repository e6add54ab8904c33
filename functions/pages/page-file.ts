import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { route } from '../http/route.ts'
import { filePolicy } from './page-policy.ts'

/** A script, style or picture of a page. Its name changes with its content, so browsers cache it for good. */
export const pageFile = route({
  method: 'get',
  path: '/pages/:file',
  permission: 'none',
  operationId: 'getPageFile',
  hasEtag: true,
  summary: 'A file of a page.',
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
      headers: { 'Cache-Control': 'public, max-age=31536000, immutable', 'Content-Security-Policy': filePolicy },
    }
  },
})
