import { healthPaths } from '../../../shared/kernel/health-paths.ts'
import { type ProblemSlug, problems } from '../../../shared/kernel/problems/problems.ts'
import type { Route } from '../route.ts'
import { problemStatuses } from './problem-statuses.ts'

const isSlug = (text: string): text is ProblemSlug => Object.hasOwn(problems, text)

/** Every slug, by status and then by name. */
export const problemSlugs: readonly ProblemSlug[] = Object.keys(problems)
  .filter(isSlug)
  .sort((one, other) => problemStatuses[one] - problemStatuses[other] || one.localeCompare(other))

/** Schema of the body of every error (RFC 9457). */
export const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance'],
  properties: {
    type: {
      type: 'string',
      pattern: '^/problems/[a-z0-9-]+$',
      description: '`/problems/` and a slug. `x-problems` lists the slugs; later versions add more.',
      examples: ['/problems/not-found'],
    },
    title: { type: 'string', description: 'The kind of problem in a few words.' },
    status: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.' },
    detail: { type: 'string', description: 'What is wrong and what to do, for people.' },
    instance: { type: 'string', description: 'The path of the request, without its query.' },
    errors: {
      type: 'array',
      description: 'The first faults of the input: twenty for a request, more for a config.',
      items: {
        type: 'object',
        required: ['message'],
        properties: {
          pointer: { type: 'string', description: 'JSON Pointer into the body, or `/` and the name of a parameter.' },
          line: { type: 'integer', minimum: 1, description: 'The line of a text, counted from 1.' },
          column: { type: 'integer', minimum: 1, description: 'The column of a text, counted from 1.' },
          message: { type: 'string', description: 'What is wrong, for people.' },
        },
      },
    },
    reason: { type: 'string', description: '`account-banned`: the reason of the ban.' },
    until: { type: 'string', format: 'date-time', description: '`account-banned`: the end of the ban; absent if it has none.' },
    explain: { type: 'string', description: '`missing-permission`: the address that explains the decision.' },
    before: { description: '`changed-since`: the value before the write.' },
    after: { description: '`changed-since`: the value after the write.' },
    current: { description: '`changed-since`: the value now; null if it is deleted.' },
    changed: {
      type: 'array',
      description: '`changed-since`: what has changed since the write.',
      items: {
        type: 'object',
        required: ['pointer'],
        properties: {
          pointer: { type: 'string', description: 'JSON Pointer into the value.' },
          by: { type: 'string', description: 'The author of the change.' },
          at: { type: 'string', description: 'When it was changed.' },
        },
      },
    },
    revision: { type: 'string', description: '`changed-since`: the config text to go back to.' },
  },
} as const

/** The problems of a route: its own, and those that follow from its declaration. */
export const problemsOf = ({ permission, privilege, path, body, params, problems: own = [] }: Route): readonly ProblemSlug[] => {
  const slugs = new Set<ProblemSlug>(['bad-request', 'misdirected-request', ...own])
  const add = (...more: readonly ProblemSlug[]) => {
    for (const slug of more) slugs.add(slug)
  }
  if (!healthPaths.has(path)) add('account-banned', 'too-many-requests')
  if (permission !== 'none') add('not-signed-in', 'invalid-token', 'service-unavailable', 'accounts-unreadable')
  if ((permission !== 'none' && permission !== 'signed-in') || privilege !== undefined)
    add('missing-permission', 'password-sign-in-needed')
  if (params !== undefined) add('not-found')
  if (body !== undefined) add('body-too-large', 'unsupported-media-type')
  return problemSlugs.filter((slug) => slugs.has(slug))
}

const exampleOfProblem = (slug: ProblemSlug, path: string) => ({
  type: `/problems/${slug}`,
  title: problems[slug].title,
  status: problemStatuses[slug],
  detail: problems[slug].help,
  instance: path,
})

const retryHeaders = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } } }

/** Headers of every problem with the status. */
const problemHeaders: Readonly<Record<number, object>> = {
  401: { 'WWW-Authenticate': { description: 'How to sign in.', schema: { type: 'string', const: 'Bearer' } } },
  426: { Upgrade: { description: 'The protocol to use.', schema: { type: 'string', const: 'websocket' } } },
  429: retryHeaders,
  503: retryHeaders,
}

/** OpenAPI responses for `slugs`, one a status. */
export const describeProblems = (slugs: readonly ProblemSlug[], path: string) => {
  const byStatus = new Map<number, ProblemSlug[]>()
  for (const slug of slugs) byStatus.set(problemStatuses[slug], [...(byStatus.get(problemStatuses[slug]) ?? []), slug])
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      String(status),
      {
        description: names.map((name) => `\`${name}\`: ${problems[name].title}.`).join(' '),
        ...(problemHeaders[status] && { headers: problemHeaders[status] }),
        content: {
          'application/problem+json': {
            schema: { $ref: '#/components/schemas/Problem' },
            ...(names[0] !== undefined && { example: exampleOfProblem(names[0], path) }),
          },
        },
      },
    ]),
  )
}
