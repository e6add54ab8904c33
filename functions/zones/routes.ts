import type { Route } from '../http/route.ts'
import { openZoneFeed } from './open-zone-feed.ts'
import { setZoneMembers, setZoneRules, setZoneSchedule } from './set-zone-rules.ts'
import { listBlockKinds, listZoneBlocks } from './zone-blocks.ts'
import { deleteSnapshot, listSnapshots, restoreSnapshot, takeSnapshot } from './zone-snapshots.ts'
import {
  changeZone,
  createZone,
  deleteZone,
  getZone,
  listZones,
  setZoneBounds,
  setZoneChunks,
  setZoneEnabled,
  setZoneLayout,
} from './zones.ts'

export const zoneRoutes: readonly Route[] = [
  listZones,
  createZone,
  getZone,
  changeZone,
  deleteZone,
  setZoneBounds,
  setZoneChunks,
  setZoneEnabled,
  setZoneLayout,
  setZoneRules,
  setZoneMembers,
  setZoneSchedule,
  listSnapshots,
  takeSnapshot,
  deleteSnapshot,
  restoreSnapshot,
  listZoneBlocks,
  listBlockKinds,
  openZoneFeed,
]
