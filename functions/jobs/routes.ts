import type { Route } from '../http/route.ts'
import { cancelJob, getJob, listJobs } from './jobs.ts'

export const jobRoutes: readonly Route[] = [listJobs, getJob, cancelJob]
