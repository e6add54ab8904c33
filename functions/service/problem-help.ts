import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { problems } from '../../shared/kernel/problems/problems.ts'
import { route } from '../http/route.ts'

/** Makes the `type` of a problem lead to what it means. */
export const problemHelp = route({
  method: 'get',
  path: '/problems/:slug',
  permission: 'none',
  summary: 'What a problem means: leads to its place in the page to read.',
  ignoresQuery: true,
  params: ClosedObject({ slug: Type.String() }),
  responses: { 302: 'To the page to read.' },
  handle: (_deps, { params }) => {
    if (!Object.hasOwn(problems, params.slug)) throw new AppError('not-found', 'not-found', 'There is no problem of that name.')
    return { status: 302, headers: { Location: `../api/docs#${params.slug}` } }
  },
})
