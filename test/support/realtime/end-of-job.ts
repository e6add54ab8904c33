import { expect } from '@jest/globals'
import { JobView } from '../../../functions/jobs/jobs.ts'
import type { Job } from '../../../shared/domain/jobs/job.ts'
import type { JobService } from '../../../shared/domain/jobs/job-service.ts'
import { createParser } from '../../../shared/kernel/schema.ts'
import { waitFor } from '../time/wait-for.ts'

const parseJob = createParser(JobView)

/** Resolves to a job when it has ended. Its result must be as the API describes it for its kind. */
export const endOfJob = async (jobs: Pick<JobService, 'getJob'>, id: string): Promise<Job> => {
  await waitFor(async () => (await jobs.getJob(id)).finishedAt !== undefined, 180_000)
  const job = await jobs.getJob(id)
  expect(parseJob(job)).toEqual({ ok: true, value: job })
  return job
}
