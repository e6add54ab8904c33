import { accountRoutes } from './accounts/routes.ts'
import { authRoutes } from './auth/routes.ts'
import { backupRoutes } from './backups/routes.ts'
import { classRoutes } from './classes/routes.ts'
import { configRoutes } from './configs/routes.ts'
import type { Route } from './http/route.ts'
import { jobRoutes } from './jobs/routes.ts'
import { liveRoutes } from './live/routes.ts'
import { moduleRoutes } from './modules/routes.ts'
import { pageRoutes } from './pages/routes.ts'
import { realtimeRoutes } from './realtime/routes.ts'
import { sanctionRoutes } from './sanctions/routes.ts'
import { createServiceRoutes } from './service/routes.ts'
import { undoRoutes } from './undo/routes.ts'
import { worldRoutes } from './worlds/routes.ts'
import { zoneRoutes } from './zones/routes.ts'

/** Every route: one process serves them all, and the API description covers them all. */
export const allRoutes: readonly Route[] = [
  ...createServiceRoutes(async () => allRoutes),
  ...realtimeRoutes,
  ...pageRoutes,
  ...authRoutes,
  ...accountRoutes,
  ...sanctionRoutes,
  ...liveRoutes,
  ...moduleRoutes,
  ...undoRoutes,
  ...jobRoutes,
  ...backupRoutes,
  ...worldRoutes,
  ...zoneRoutes,
  ...configRoutes,
  ...classRoutes,
]
