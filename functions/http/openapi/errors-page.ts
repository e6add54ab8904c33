import { problems } from '../../../shared/kernel/problems/problems.ts'
import { problemSlugs } from './openapi-problems.ts'
import { problemStatuses } from './problem-statuses.ts'

/** The text of `docs/errors.md`, made from the same table as the answers. */
export const createErrorsPage = (): string =>
  [
    '# Errors',
    '',
    'Made from `shared/kernel/problems/problems.ts` by `npm run generate`; do not edit.',
    '',
    'Every error is `application/problem+json` (RFC 9457). `/auth/oauth/start` and `/auth/callback` answer a client that accepts HTML with a page. Its `type` is `/problems/` and one of these slugs, which never change their meaning.',
    '',
    '| Slug | Status | Title | What it means and what to do |',
    '|---|---|---|---|',
    ...problemSlugs.map(
      (slug) => `| \`${slug}\` | ${problemStatuses[slug]} | ${problems[slug].title} | ${problems[slug].help} |`,
    ),
    '',
  ].join('\n')
