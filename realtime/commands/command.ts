import type { Actor } from '../../shared/domain/accounts/actor.ts'
import type { DeletedAccounts } from '../../shared/domain/accounts/deleted-accounts.ts'
import type { AccountService } from '../../shared/domain/accounts/service/account-service.ts'
import type { AccountStore } from '../../shared/domain/accounts/store/account-store.ts'
import type { AuditLog } from '../../shared/domain/audit/audit-log.ts'
import type { CheckReloaded } from '../../shared/domain/configs/current/check-reloaded.ts'
import type { Configs } from '../../shared/domain/configs/current/configs.ts'
import type { OwnUndone } from '../../shared/domain/history/plan-own-undo.ts'
import type { PlannedBlock } from '../../shared/domain/history/plan-rollback.ts'
import type { KnownCommand } from '../../shared/domain/permissions/known-commands.ts'
import type { Permissions } from '../../shared/domain/permissions/permissions.ts'
import type { RuleSet } from '../../shared/domain/permissions/rules.ts'
import type { ActiveSanctions } from '../../shared/domain/sanctions/active/follow-sanctions.ts'
import type { ReportService } from '../../shared/domain/sanctions/reports/report-service.ts'
import type { Sanction } from '../../shared/domain/sanctions/sanction.ts'
import type { SanctionService } from '../../shared/domain/sanctions/sanction-service.ts'
import type { ZoneService } from '../../shared/domain/zones/zone-service.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import type { Store } from '../../shared/platform/storage/store.ts'
import type { ChatLine } from '../node-links/chat-line.ts'
import type { RemotePlayers, Whisper, Whispered } from '../node-links/remote-players.ts'
import type { SpawnControl, WorldControl } from '../world/world-of-node.ts'
import type { OpenGameZones } from '../zones/open-game-zones.ts'
import type { LandControl } from './land/land-control.ts'
import type { ModuleControl } from './module-control.ts'

/** A place in the world, in blocks; yaw and pitch in degrees. */
export type Position = {
  readonly x: number
  readonly y: number
  readonly z: number
  readonly yaw: number
  readonly pitch: number
}

/** A connected player, as commands see it. */
export type LivePlayer = {
  readonly playerId: string
  readonly email: string
  readonly displayName: string
  readonly groups: readonly string[]
  readonly position: Position
  /** A limited sign-in: the player did not sign in with the password of the account. */
  readonly isLimited?: true
  /** The connection is lost. The session is kept for a while. */
  readonly isLost?: true
}

/** The players of this node and the actions on them. An action takes effect in the next tick. */
export type LivePlayers = {
  /** Sorted by display name. */
  listPlayers(): readonly LivePlayer[]
  kick(playerId: string, reason: string): void
  teleport(playerId: string, to: Position): void
  /**
   * Sends a chat line to all players on all nodes, except those who ignore `by`. The line is sent in the next tick that has room.
   * Returns false if too many lines wait.
   */
  say(from: string, text: string, by: string): boolean
  /** Shows a line to a player of this node, unless the player ignores the sender. The result does not reveal that. */
  whisper(playerId: string, line: Whisper): Promise<Whispered>
  /** The last whisper partner of a player in this session. */
  lastWhisper(playerId: string): Pick<LivePlayer, 'playerId' | 'displayName'> | undefined
  noteWhisper(playerId: string, other: Pick<LivePlayer, 'playerId' | 'displayName'>): void
  /** Sends a notice to all players of this node. */
  announce(text: string): void
  /** Replaces the list of ignored players in a live session. */
  setIgnored(playerId: string, ignored: ReadonlySet<string>): void
  /** Whether the player may put that block back now. False if the player has left. */
  mayUndo(playerId: string, block: PlannedBlock): boolean
  /** Undoes edits of a player of this node, as far as the player may edit there now. */
  undoOwn(playerId: string, plan: readonly PlannedBlock[]): Promise<OwnUndone>
  /** The last few chat lines of all nodes, oldest first. */
  lastChat(): readonly ChatLine[]
  /** Replaces the switched-off commands in a live session. */
  setDisabledCommands(playerId: string, names: ReadonlySet<string>): void
}

export type CommandDeps = {
  readonly accounts: AccountService
  readonly accountStore: AccountStore
  readonly deletedAccounts: Pick<DeletedAccounts, 'find' | 'listNamed'>
  readonly permissions: Permissions
  readonly configs: Configs
  readonly checkReloaded: CheckReloaded
  readonly store: Store
  readonly audit: AuditLog
  readonly sanctions: SanctionService
  readonly activeSanctions: ActiveSanctions
  readonly reports: ReportService
  readonly clock: Clock
  readonly ids: Ids
  /** The public address of the server, for links. */
  readonly baseUrl: string
  readonly world: WorldControl
  readonly zones: ZoneService
  /** The active zones of this node's world. */
  readonly gameZones: Pick<OpenGameZones, 'isKnown' | 'zoneAt' | 'list' | 'check'>
  /** The spawn of this node's world. Absent on the command line. */
  readonly spawn?: SpawnControl
  /** Absent on the command line. */
  readonly land?: LandControl
  /** Absent on the command line. */
  readonly live?: LivePlayers
  /** Absent on the command line. */
  readonly elsewhere?: RemotePlayers
  /** The modules of this node; undefined before the game is composed. Absent on the command line. */
  readonly modules?: () => ModuleControl | undefined
}

/** The dependencies of a command, and all commands, for example for help. */
export type CommandContext = CommandDeps & { readonly commands: readonly Command[] }

/** The caller of a command. */
export type CommandCaller = {
  readonly actor: Actor
  /** The live player of the caller. Absent for the console and the command line. */
  readonly playerId?: string
  /** The address of the caller. Absent for the console and the command line. */
  readonly address?: string | undefined
  /** The rules at the position of the caller. Absent if the rules of the actor apply everywhere. */
  readonly rulesHere?: RuleSet
  /** A limited sign-in: the account has a password or an identity provider that this sign-in did not use. */
  readonly isLimited?: boolean
  /** Commands that are switched off for this caller. */
  readonly disabled: ReadonlySet<string>
}

type ArgumentKind = 'word' | 'text' | 'number' | 'coordinate' | 'list' | 'email' | 'player' | 'command' | 'duration'

/**
 * An argument.
 * - text: the rest of the line
 * - duration: for example `10m`; the value is in milliseconds
 * - list: comma-separated
 * - coordinate: may be relative, such as `~5`
 */
export type Argument = {
  readonly name: string
  readonly kind: ArgumentKind
  readonly optional?: boolean
  /** Never echoed, logged or completed. */
  readonly secret?: boolean
}

export type ArgumentValues = Readonly<Record<string, string | number | readonly string[] | undefined>>

export type CommandReply = {
  readonly ok: boolean
  readonly text: string
  readonly data?: unknown
  /** The mute that prevented the command. */
  readonly muted?: Sanction
}

/** A command. Help, completion, validation and the list in Welcome come from this declaration. */
export type Command = KnownCommand & {
  readonly description: string
  /** Alternatives. The number of arguments selects the form; earlier forms come first. */
  readonly forms: readonly (readonly Argument[])[]
  /** The module that the command is from. */
  readonly module?: string
  /** A second name of a module's command: the one with the name of the module. */
  readonly fullName?: string
  readonly run: (context: CommandContext, caller: CommandCaller, args: ArgumentValues) => Promise<CommandReply> | CommandReply
}
