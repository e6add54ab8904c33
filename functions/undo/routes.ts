import type { Route } from '../http/route.ts'
import { getAuditEntry, undoWrite } from './undo.ts'

export const undoRoutes: readonly Route[] = [getAuditEntry, undoWrite]
