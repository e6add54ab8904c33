import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { createErrorsPage } from '../../../functions/http/openapi/errors-page.ts'
import { problemStatuses } from '../../../functions/http/openapi/problem-statuses.ts'
import { AppError, type ErrorKind } from '../../../shared/kernel/errors.ts'
import { createProblemReply } from '../../../shared/kernel/problems/problem-reply.ts'
import type { ProblemSlug } from '../../../shared/kernel/problems/problems.ts'

const root = resolve(import.meta.dirname, '../../..')

/** The errors that HTTP can answer. A config refused at start is not an answer. */
const thrown = ['functions', 'shared']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.parentPath.includes('generated'))
  .flatMap((entry) => [
    ...readFileSync(join(entry.parentPath, entry.name), 'utf8').matchAll(/new AppError\(\s*'([a-z-]+)',\s*'([a-z-]+)'/g),
  ])
  .map(([, kind, slug]) => [kind, slug] as [ErrorKind, ProblemSlug])
  .filter(([, slug]) => slug !== 'invalid-config')

describe('problems', () => {
  it('include all errors that are thrown', () => {
    expect(thrown.length).toBeGreaterThan(20)
  })

  it.each(thrown)('have for %s %s the one documented status', (kind, slug) => {
    expect(createProblemReply(new AppError(kind, slug, 'Detail.'), '/').problem.status).toBe(problemStatuses[slug])
  })

  it('are listed in docs/errors.md', () => {
    expect(readFileSync(join(root, 'docs/errors.md'), 'utf8').replaceAll('\r\n', '\n')).toBe(createErrorsPage())
  })

  it('round Retry-After up, to at least a second', () => {
    const wait = (retryAfterSeconds: number) =>
      createProblemReply(new AppError('limited', 'too-many-requests', 'Wait.', { retryAfterSeconds }), '/').headers['Retry-After']
    expect([wait(0), wait(0.2), wait(1), wait(59.01)]).toEqual(['1', '1', '1', '60'])
  })
})
