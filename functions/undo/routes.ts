import type { Route } from '../http/route.ts'
import { getAuditEntry } from './get-audit-entry.ts'
import { undoWrite } from './undo-write.ts'

export const undoRoutes: readonly Route[] = [getAuditEntry, undoWrite]
