import type { Route } from '../http/route.ts'
import { listNodes } from './list-nodes.ts'

export const realtimeRoutes: readonly Route[] = [listNodes]
