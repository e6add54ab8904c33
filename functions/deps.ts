import type { AccountService } from '../shared/domain/accounts/service/account-service.ts'
import type { AccountStore } from '../shared/domain/accounts/store/account-store.ts'
import type { ApiTokens } from '../shared/domain/api-tokens/api-tokens.ts'
import type { AuditLog } from '../shared/domain/audit/audit-log.ts'
import type { Invitations } from '../shared/domain/auth/own-accounts/invitations.ts'
import type { ResetLinks } from '../shared/domain/auth/own-accounts/reset-links.ts'
import type { AuthProvider } from '../shared/domain/auth/provider/provider.ts'
import type { SignInService } from '../shared/domain/auth/sign-in.ts'
import type { Backups } from '../shared/domain/backups/backup.ts'
import type { CheckReloaded } from '../shared/domain/configs/current/check-reloaded.ts'
import type { Configs } from '../shared/domain/configs/current/configs.ts'
import type { ConfigEditor } from '../shared/domain/configs/editor/config-editor.ts'
import type { JobService } from '../shared/domain/jobs/job-service.ts'
import type { ModuleDataAdmin } from '../shared/domain/modules/admin/module-data-admin.ts'
import type { ModuleOrders } from '../shared/domain/modules/admin/module-orders.ts'
import type { WorldStates } from '../shared/domain/modules/data/world-states.ts'
import type { NodeReports } from '../shared/domain/node-reports/node-reports.ts'
import { createBuiltPages } from '../shared/domain/pages/files/built-pages.ts'
import type { Pages } from '../shared/domain/pages/pages.ts'
import type { Permissions } from '../shared/domain/permissions/permissions.ts'
import type { PlayerService } from '../shared/domain/players/player-service.ts'
import { createNodeDirectory, type NodeDirectory } from '../shared/domain/presence/node-directory.ts'
import type { ActiveSanctions } from '../shared/domain/sanctions/active/follow-sanctions.ts'
import type { ReportService } from '../shared/domain/sanctions/reports/report-service.ts'
import type { SanctionService } from '../shared/domain/sanctions/sanction-service.ts'
import type { TokenStore } from '../shared/domain/tokens/tokens.ts'
import type { UndoService } from '../shared/domain/undo/undo-service.ts'
import type { WorldImports } from '../shared/domain/world-moves/world-imports.ts'
import type { WorldMoves } from '../shared/domain/world-moves/world-moves.ts'
import type { MapTiles } from '../shared/domain/worlds/map/map-tiles.ts'
import type { ChunkStore } from '../shared/domain/worlds/store/chunk-store.ts'
import type { WorldService } from '../shared/domain/worlds/world-service.ts'
import type { ZoneSnapshots } from '../shared/domain/zones/snapshots/zone-snapshots.ts'
import type { ZoneService } from '../shared/domain/zones/zone-service.ts'
import { type Clock, systemClock } from '../shared/kernel/clock.ts'
import type { Ids } from '../shared/kernel/ids.ts'
import type { Log } from '../shared/kernel/log.ts'
import type { Turns } from '../shared/kernel/turns.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from '../shared/platform/limits/concurrency-limit.ts'
import { createFairQueue, type FairQueue } from '../shared/platform/limits/fair-queue.ts'
import type { RateLimiter } from '../shared/platform/limits/rate-limiter.ts'
import { parseEnvironment, type RawEnvironment } from '../shared/platform/process/environment.ts'
import type { Store } from '../shared/platform/storage/store.ts'
import { openTracing } from '../shared/platform/tracing/open-tracing.ts'
import type { Readiness } from '../shared/services/readiness.ts'
import { createServiceReadiness } from '../shared/services/service-readiness.ts'
import { openServices } from '../shared/services/services.ts'
import type { Services } from '../shared/services/wire-services.ts'
import { createHttpMetrics, type HttpMetrics } from './http/metrics.ts'

/** The dependencies of all handlers, built once a process. */
export type HttpDeps = {
  readonly accounts: AccountService
  readonly accountStore: AccountStore
  readonly store: Pick<Store, 'get' | 'list'>
  readonly signIn: SignInService
  readonly invitations: Invitations
  readonly resetLinks: ResetLinks
  readonly provider: AuthProvider
  readonly tokens: TokenStore
  readonly apiTokens: ApiTokens
  readonly limiter: RateLimiter
  readonly permissions: Permissions
  readonly configs: Configs
  readonly configEditor: ConfigEditor
  readonly checkReloaded: CheckReloaded
  readonly audit: AuditLog
  readonly sanctions: SanctionService
  readonly activeSanctions: ActiveSanctions
  readonly reports: ReportService
  readonly undo: UndoService
  readonly jobs: JobService
  readonly backups: Pick<Backups, 'list' | 'get' | 'archive' | 'remove'> | undefined
  readonly worlds: WorldService
  /** Undefined if worlds are not in a data folder. */
  readonly worldStates: Pick<WorldStates, 'list'>
  readonly worldMoves: Pick<WorldMoves, 'renameWorld' | 'deleteWorld' | 'returnWorld' | 'trashFolder' | 'isActive'> | undefined
  /** Undefined if worlds are not in a data folder. */
  readonly worldImports: Pick<WorldImports, 'expectFree' | 'receive' | 'discard'> | undefined
  readonly zones: ZoneService
  readonly snapshots: ZoneSnapshots
  readonly nodes: Pick<NodeDirectory, 'list'>
  readonly players: PlayerService
  readonly moduleOrders: ModuleOrders
  readonly moduleData: ModuleDataAdmin
  readonly tiles: Pick<MapTiles, 'follow' | 'findWarm' | 'get'>
  /** By account, so that no one waits for the many tiles of another. */
  readonly tileTurns: FairQueue
  /** For listings of blocks and exports of worlds, which last as long as their clients read. */
  readonly listings: ConcurrencyLimit
  readonly nodeReports: Pick<NodeReports, 'list'>
  readonly chunks: ChunkStore
  readonly turns: Turns
  readonly pages: Pages
  readonly readiness: Readiness
  readonly metrics: HttpMetrics
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** Whether pages of any origin on this machine may call. */
  readonly loopbackPages: boolean
  /** Without a trailing slash. */
  readonly baseUrl: string
}

/** One is drawn while another is read. */
const tilesAtOnce = 2
const tilesWaitingMax = 1_000

/** Each holds a megabyte or two until it is read. */
const listingsPerSignInMax = 4
const listingsMax = 32

/** Slots for listings of blocks in one process. */
const createListings = (): ConcurrencyLimit => createConcurrencyLimit({ perCaller: listingsPerSignInMax, total: listingsMax })

/** Creates the dependencies of handlers from the services of this process. */
export const createDeps = (services: Services, baseUrl: string, metrics: HttpMetrics): HttpDeps => ({
  ...services,
  baseUrl,
  metrics,
  readiness: createServiceReadiness(services),
  pages: createBuiltPages(),
  nodes: createNodeDirectory(services),
  tileTurns: createFairQueue({ slots: tilesAtOnce, waitingMax: tilesWaitingMax }),
  listings: createListings(),
})

/** After a thaw, a function may have a dead connection. The next one takes less time, and a 503 answer comes within 2 s. */
const redisWaitMs = 1200

/** The dependencies of a Lambda, created from its environment once a process. Only tests close them. */
export const createHttpDeps = async (
  raw: RawEnvironment,
): Promise<HttpDeps & Pick<Services, 'close'> & { flush(): Promise<void> }> => {
  const environment = parseEnvironment(raw, 'http')
  const { log, traces } = await openTracing({ environment, name: 'gatehouse-http', clock: systemClock })
  // After a failed start, a Lambda starts again in the same process.
  const services = await openServices(environment, log, { redisWaitMs }).catch(async (error: unknown) => {
    await traces?.close()
    throw error
  })
  return {
    ...createDeps(services, environment.baseUrl, createHttpMetrics()),
    // A Lambda does not listen, whatever its environment says.
    loopbackPages: false,
    /** Sends the recorded spans. */
    flush: async () => traces?.flush(),
    close: async () => {
      await services.close()
      await traces?.close()
    },
  }
}
