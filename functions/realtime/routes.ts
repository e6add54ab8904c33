import type { Route } from '../http/route.ts'
import { listNodes } from './list-nodes.ts'
import { openConnection } from './open-connection.ts'

export const realtimeRoutes: readonly Route[] = [listNodes, openConnection]
