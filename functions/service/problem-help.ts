import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { problems } from '../../shared/kernel/problems/problems.ts'
import { route } from '../http/route.ts'

/** Redirects from the `type` of a problem to its description. */
export const problemHelp = route({
  method: 'get',
  path: '/problems/:slug',
  permission: 'none',
  operationId: 'explainProblem',
  summary: 'Redirects to the description of a problem in the API page.',
  ignoresQuery: true,
  params: ClosedObject({ slug: Type.String() }),
  responses: { 302: 'Redirects to the API page.' },
  handle: (_deps, { params }) => {
    if (!Object.hasOwn(problems, params.slug)) throw new AppError('not-found', 'not-found', 'There is no problem with this name.')
    return { status: 302, headers: { Location: `../api/docs#${params.slug}` } }
  },
})
