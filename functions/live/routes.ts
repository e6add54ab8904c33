import type { Route } from '../http/route.ts'
import { announce } from './announce.ts'
import { getServer } from './get-server.ts'
import { listMetrics } from './list-metrics.ts'
import { kickPlayer, listPlayers, messagePlayer, teleportPlayer } from './players.ts'

export const liveRoutes: readonly Route[] = [
  listPlayers,
  kickPlayer,
  messagePlayer,
  teleportPlayer,
  announce,
  listMetrics,
  getServer,
]
