import type {
  CommandCaller,
  CommandDeps,
  CommandReply,
  LivePlayer,
  LivePlayers,
  Position,
} from '../../../realtime/commands/command.ts'
import { createCommandList } from '../../../realtime/commands/command-list.ts'
import { commands } from '../../../realtime/commands/commands.ts'
import { createCommandExecutor } from '../../../realtime/commands/executor/executor.ts'
import { createOperator } from '../../../realtime/commands/executor/operator.ts'
import { createLandControl } from '../../../realtime/commands/land/land-control.ts'
import { createGameZones } from '../../../realtime/zones/game-zones.ts'
import { createZoneReader } from '../../../realtime/zones/zone-reader.ts'
import type { Account } from '../../../shared/domain/accounts/account.ts'
import { canAdminister } from '../../../shared/domain/accounts/can-administer.ts'
import { createDeletedAccounts } from '../../../shared/domain/accounts/deleted-accounts.ts'
import { createAccountService } from '../../../shared/domain/accounts/service/create-account-service.ts'
import { createMemoryAccountStore } from '../../../shared/domain/accounts/store/memory-account-store.ts'
import type { AuditEntry } from '../../../shared/domain/audit/audit-log.ts'
import type { CheckedReload } from '../../../shared/domain/configs/current/check-reloaded.ts'
import type { ReloadReport } from '../../../shared/domain/configs/current/config-holder.ts'
import type { Configs } from '../../../shared/domain/configs/current/configs.ts'
import type { ConfigName } from '../../../shared/domain/configs/declare/config-file.ts'
import { createJobService } from '../../../shared/domain/jobs/job-service.ts'
import type { GroupsConfig } from '../../../shared/domain/permissions/groups-config.ts'
import { isLimitedSignIn } from '../../../shared/domain/permissions/limited-sign-in.ts'
import { createPermissions } from '../../../shared/domain/permissions/permissions.ts'
import { readDisabledCommands } from '../../../shared/domain/players/player-state.ts'
import { createWorldService } from '../../../shared/domain/worlds/create-world-service.ts'
import { createZoneService } from '../../../shared/domain/zones/create-zone-service.ts'
import type { Zone } from '../../../shared/domain/zones/zone.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createMemoryEventBus } from '../../../shared/platform/events/memory-events.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import { someHash } from '../../support/accounts/account-fixture.ts'
import { createSanctions } from '../../support/accounts/sanctions-in-memory.ts'
import { createMemoryTokenStore } from '../../support/auth/memory-tokens.ts'
import { createFixedConfigs } from '../../support/configs/fixed-configs.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { createCapturedLog } from '../../support/time/silent-log.ts'
import { createWorldFixture } from '../../support/worlds/world-fixture.ts'
import { createStoredZones, createZone } from '../../support/zones/stored-zones.ts'

const groups: GroupsConfig = {
  groups: [
    { name: 'player', permissions: ['world.build', 'command.who', 'command.say'] },
    { name: 'moderator', permissions: ['command.*', '-command.adduser', '-command.rbac.*'], inherits: ['player'] },
    { name: 'muted', permissions: ['-command.say'] },
    { name: 'keeper', permissions: ['command.rbac.*'], inherits: ['player'] },
  ],
  defaultGroups: ['player'],
}

type LiveRecord = {
  readonly live: LivePlayers
  readonly players: LivePlayer[]
  readonly done: unknown[][]
  readonly closed: Set<string>
}

/** The port of live players over a list; it records every action. */
const createLiveRecord = (): LiveRecord => {
  const players: LivePlayer[] = []
  const done: unknown[][] = []
  const partners = new Map<string, Pick<LivePlayer, 'playerId' | 'displayName'>>()
  /** Blocks that can no longer be undone. */
  const closed = new Set<string>()
  const live: LivePlayers = {
    listPlayers: () => players.toSorted((a, b) => a.displayName.localeCompare(b.displayName)),
    kick: (playerId, reason) => done.push(['kick', playerId, reason]),
    teleport: (playerId, to) => done.push(['teleport', playerId, to]),
    say: (from, text) => text !== 'too much' && done.push(['say', from, text]) > 0,
    whisper: async (playerId, { from, text }) =>
      players.some((player) => player.playerId === playerId) && done.push(['whisper', playerId, from, text]) > 0
        ? 'told'
        : 'absent',
    lastWhisper: (playerId) => partners.get(playerId),
    noteWhisper: (playerId, other) => partners.set(playerId, other),
    mayUndo: (_playerId, block) => !closed.has(`${block.x} ${block.y} ${block.z}`),
    undoOwn: async (playerId, plan) => {
      done.push(['undo', playerId, plan])
      return { blocks: plan.length, refused: 0 }
    },
    announce: (text) => done.push(['announce', text]),
    setIgnored: (playerId, ignored) => done.push(['ignored', playerId, [...ignored].sort()]),
    lastChat: () => [{ channel: 'global', from: 'Mo', text: 'hello' }],
    setDisabledCommands: (playerId, names) => done.push(['disabled', playerId, [...names].sort()]),
  }
  return { live, players, done, closed }
}

const createConfigs = () => {
  const asked: (readonly ConfigName[] | undefined)[] = []
  const state: { report: ReloadReport; checked?: Partial<CheckedReload> } = {
    report: { reloaded: ['groups.yaml'], changed: [], restartNeeded: [], failed: [] },
  }
  const configs: Pick<Configs, 'reload'> = {
    reload: async (names) => {
      asked.push(names)
      return state.report
    },
  }
  return { asked, state, configs }
}

/** The executor with all commands over memory adapters, and functions to create accounts, sessions and callers. */
export const createCommandFixture = ({ zonesUnknown = false } = {}) => {
  const clock = createFixedClock()
  const ids = systemIds
  const { log, lines } = createCapturedLog()
  const permissions = createPermissions(groups)
  const entries: AuditEntry[] = []
  const audit = {
    append: async (added: readonly AuditEntry[]) => void entries.push(...added),
    appendGrouped: async (added: AuditEntry) => void entries.push(added),
    listEntries: async () => ({ entries }),
    find: async (id: string) => entries.find((entry) => entry.id === id),
  }
  const accountStore = createMemoryAccountStore({ isAdministrator: (account) => canAdminister(permissions, account), audit })
  const store = createMemoryStore()
  const deletedAccounts = createDeletedAccounts({ store, clock })
  const accounts = createAccountService({
    accountStore,
    deletedAccounts,
    permissions,
    passwords: { hash: async () => someHash },
    tokens: createMemoryTokenStore({ clock, ids }),
    events: createMemoryEventBus({ log }),
    isBanned: () => false,
    moveSanctions: async () => undefined,
    clock,
    ids,
    log,
  })
  const record = createLiveRecord()
  const world = createWorldFixture({ store, clock, log })
  const reloads = createConfigs()
  const fixed = createFixedConfigs({ groups })
  const unused = () => {
    throw new Error('No command asks for this.')
  }
  const configs: Configs = { ...fixed, catchUp: unused, onReload: unused, warnings: unused, close: unused, ...reloads.configs }
  const { sanctions, activeSanctions, reports } = createSanctions({
    store,
    accountStore,
    permissions,
    clock,
    ids,
    log,
    tokens: createMemoryTokenStore({ clock, ids }),
    events: createMemoryEventBus({ log }),
  })
  const { chunks } = world
  const events = createMemoryEventBus({ log })
  const worlds = createWorldService({ store, chunks, configs, clock, ids, activeName: world.record.name })
  const zones = createZoneService({ store, chunks, worlds, configs, events, clock, ids, log })
  const gameZones = createGameZones()
  const readZones = createZoneReader({ store, worldName: world.record.name, intake: gameZones, log })
  if (!zonesUnknown) gameZones.complete()
  const takeZones = async (): Promise<void> => {
    await readZones()
    gameZones.step()
  }
  const jobs = createJobService({ store, events, clock, ids })
  const spawns: Position[] = []
  const deps: CommandDeps = {
    zones,
    gameZones: { ...gameZones, check: takeZones },
    accounts,
    accountStore,
    deletedAccounts,
    permissions,
    configs,
    checkReloaded: async (report) => ({ ...report, modules: [], warnings: [], ...reloads.state.checked }),
    store,
    audit,
    sanctions,
    activeSanctions,
    reports,
    clock,
    ids,
    baseUrl: 'https://play.example.org',
    /** A node without modules. */
    modules: () => ({
      list: () => [],
      reload: async () => [],
      setEnabled: async () => undefined,
      profile: async () => '',
      takenNames: () => [],
      advise: async () => [],
      settings: () => ({}),
      checkSettings: async () => ({}),
    }),
    world: world.control,
    spawn: {
      find: () => spawns.at(-1) ?? { x: 0.5, y: 64, z: 0.5, yaw: 0, pitch: 0 },
      set: async (_actor, to) => void spawns.push({ ...to, pitch: 0 }),
    },
    land: createLandControl({ chunks, world: world.record, jobs, settle: async () => {} }),
    live: record.live,
  }
  const executor = createCommandExecutor({ commands: createCommandList(commands), deps, log })

  const addAccount = (
    email: string,
    options: { groups?: string[]; displayName?: string; password?: string } = {},
  ): Promise<Account> => accounts.createAccount(createOperator('setup'), { email, ...options })
  const addZone = async (parts: Partial<Zone> = {}): Promise<Zone> => {
    const zone = await createStoredZones(store).put(createZone(parts))
    await takeZones()
    return zone
  }
  const callerFor = async (account: Account, verified = true): Promise<CommandCaller> => {
    const { email, playerId, displayName } = account
    const now = (await accountStore.findByEmail(email)) ?? account
    const rules = permissions.rulesOfSignIn(now, { verified, scope: undefined })
    const position = record.players.find((player) => player.playerId === playerId)?.position
    const zone =
      position && gameZones.zoneAt(...([position.x, position.y, position.z].map(Math.floor) as [number, number, number]))
    const place = { world: world.record.name, ...(zone && { zone: zone.id }) }
    const actor = { email, playerId, displayName, verified, rules, via: 'command' as const, requestId: 'request-1' }
    const disabled = await readDisabledCommands(store, playerId)
    return {
      actor,
      playerId,
      disabled,
      isLimited: isLimitedSignIn(now, verified),
      ...(now.grants && { rulesHere: permissions.rulesOfSignIn(now, { verified, scope: undefined }, place) }),
    }
  }
  const join = ({ email, playerId, displayName, groups: held }: Account): LivePlayer => {
    const player = { email, playerId, displayName, groups: held, position: { x: 1.5, y: 64, z: -2.25, yaw: 90, pitch: 10 } }
    record.players.push(player)
    return player
  }
  const run = async (account: Account, text: string, verified = true): Promise<CommandReply> =>
    executor.execute(await callerFor(account, verified), text)
  return {
    accounts,
    spawns,
    accountStore,
    permissions,
    store,
    entries,
    lines,
    deps,
    jobs,
    clock,
    log,
    executor,
    ...record,
    reloads,
    world,
    zones,
    addZone,
    takeZones,
    addAccount,
    callerFor,
    join,
    run,
  }
}
