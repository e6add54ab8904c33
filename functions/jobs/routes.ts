import type { Route } from '../http/route.ts'
import { listJobs } from './list-jobs.ts'
import { cancelJob, getJob } from './one-job.ts'

export const jobRoutes: readonly Route[] = [listJobs, getJob, cancelJob]
