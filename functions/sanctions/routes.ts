import type { Route } from '../http/route.ts'
import { createSanction } from './create-sanction.ts'
import { endSanction } from './end-sanction.ts'
import { listReports } from './list-reports.ts'
import { listSanctions } from './list-sanctions.ts'
import { settleReport } from './settle-report.ts'

export const sanctionRoutes: readonly Route[] = [listSanctions, createSanction, endSanction, listReports, settleReport]
