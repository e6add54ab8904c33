import type { Route } from '../http/route.ts'
import { listChat } from './chat.ts'
import { listReports, settleReport } from './reports.ts'
import { createSanction, endSanction, listSanctions } from './sanctions.ts'

export const sanctionRoutes: readonly Route[] = [listSanctions, createSanction, endSanction, listReports, settleReport, listChat]
