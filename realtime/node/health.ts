import { problems } from '../../shared/kernel/problems/problems.ts'
import type { Readiness } from '../../shared/services/readiness.ts'
import { describeNotReady } from '../../shared/services/readiness.ts'
import type { PlainAnswer, PlainAnswers } from '../socket/answer-plain-requests.ts'

const retryAfterSeconds = 2

const answerReadiness = async (readiness: Pick<Readiness, 'check'>): Promise<PlainAnswer> => {
  const report = await readiness.check()
  if (report.ready) return { status: 200, body: report }
  const { slug, publicDetail } = describeNotReady(report)
  const problem = {
    type: `/problems/${slug}`,
    title: problems[slug].title,
    status: 503,
    detail: publicDetail,
    instance: '/readyz',
  }
  const headers = { 'Content-Type': 'application/problem+json', 'Retry-After': String(retryAfterSeconds) }
  return { status: 503, headers, body: { ...problem, ...report } }
}

/** `/healthz` and `/readyz` of the real-time node, in the same format as the HTTP half. */
export const createHealthAnswers = (readiness: Pick<Readiness, 'check'>): PlainAnswers =>
  new Map<string, () => Promise<PlainAnswer>>([
    ['/healthz', async () => ({ status: 200, body: { status: 'ok' } })],
    ['/readyz', () => answerReadiness(readiness)],
  ])
