import { AppError } from '../../shared/kernel/errors.ts'
import { hashSecret } from '../../shared/kernel/ids.ts'
import { type Route, route } from '../http/route.ts'
import { readPagePolicy } from './page-policy.ts'

/** The page at `/<name>`. It contains no data, so it needs no sign-in. */
export const createPageRoute = (name: string, summary: string): Route =>
  route({
    method: 'get',
    path: `/${name}`,
    permission: 'none',
    operationId: `open${name.charAt(0).toUpperCase()}${name.slice(1)}Page`,
    hasEtag: true,
    summary,
    ignoresQuery: true,
    responses: { 200: 'The page.' },
    problems: ['not-found'],
    handle: async (deps) => {
      const page = await deps.pages.findPage(name)
      if (page === undefined)
        throw new AppError('not-found', 'not-found', 'This page is not built. Run `npm run pages` on the server.')
      const policy = await readPagePolicy(deps)
      return {
        status: 200,
        body: page.bytes,
        encoded: page.encoded,
        contentType: page.contentType,
        etag: hashSecret(`${page.etag} ${policy}`).slice(0, 32),
        headers: { 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache', 'Referrer-Policy': 'no-referrer' },
      }
    },
  })
