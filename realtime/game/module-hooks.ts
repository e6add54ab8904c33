import type { DataKind } from '../../shared/domain/modules/data/data-kind.ts'
import type { DataRecord } from '../../shared/domain/modules/data/module-data.ts'
import type { DecideName, EventName } from '../../shared/domain/modules/module-spec.ts'
import type { BlockRegistry } from '../../shared/domain/worlds/chunks/block-registry.ts'
import type { Position } from '../commands/command.ts'
import type { ClientMessageOf, ServerMessageOf } from '../protocol/messages.ts'
import type { Session } from '../sessions/session.ts'
import type { ToldChange } from '../world/edits/tell-changes.ts'

/** Why a module refused something. */
export type ModuleRefusal = {
  /** `module-rules`, or `module-failed` if the module failed to decide. */
  readonly code: 'module-rules' | 'module-failed'
  readonly module: string
  /** The words of the module for the player, or the id of the fault. */
  readonly text: string
}

/** The reason in an answer to a client: `module-rules: shop: Not here.` */
export const reasonOf = ({ code, module, text }: ModuleRefusal): string => `${code}: ${module}: ${text}`

/** What a player reads when a module fails. The log has the same id. */
export const describeFailure = (module: string, id: string): string => `The module ${module} failed (${id}). Tell an admin.`

/** The words for a player. */
export const textOf = ({ code, module, text }: ModuleRefusal): string =>
  code === 'module-rules' ? text : describeFailure(module, text)

/** The refusal without its code, for a client. */
export const describeRefusal = (refusal: ModuleRefusal): { readonly module: string; readonly text: string } => ({
  module: refusal.module,
  text: textOf(refusal),
})

/** Gets undefined, or the first refusal. */
export type AnswerDecision = (refusal: ModuleRefusal | undefined) => void

/** The event as one module gets it, with its own object for the player. */
export type EventFor = (player: object) => object

export type ChangedBlock = {
  readonly x: number
  readonly y: number
  readonly z: number
  readonly from: string
  readonly to: string
}

/** Why a module stops. */
export type StopReason = 'reload' | 'hand-over' | 'shutdown' | 'disabled'

/** The stored data of a player by its declaration; undefined if the store has none. Data that was in memory has no entry. */
export type PlayerValues = ReadonlyMap<DataKind, DataRecord | undefined>

/** The modules, as the game asks and tells them. While none is loaded, each call costs a comparison. */
export type ModuleHooks = {
  /** Whether a module decides about it, so that `decide` must be asked. */
  decides(name: DecideName): boolean
  /** Asks the modules in this tick, after the messages of clients. `answer` is called in the same tick, unless the session has ended. */
  decide(name: DecideName, session: Session, event: EventFor, answer: AnswerDecision): void
  /** Asks the modules at once, which costs 0.1 ms. */
  decideNow(name: DecideName, session: Session, event: EventFor): ModuleRefusal | undefined
  /**
   * Asks about a move, as `decide`: modules that need every move, or all at the border of a zone. Returns false if there are none.
   * Otherwise `allowed` or `refused` is called in the same tick, and until then the player is waiting.
   */
  decideMove(
    session: Session,
    to: Position,
    isAtBorder: boolean,
    allowed: () => void,
    refused: (refusal: ModuleRefusal) => void,
  ): boolean
  /** Whether a move of the player waits for its decision. Later messages of the player must be held, so that they stay in order. */
  isWaiting(session: Session): boolean
  /** Handles a message of a waiting player after the decision, in the same tick. */
  hold(session: Session, message: () => void): void
  /** Whether a module handles the event, so that it must be noted. */
  handles(name: EventName): boolean
  /** Notes an event of a player. Its handlers run in the next step. */
  note(name: EventName, session: Session, event: EventFor): void
  /** Notes changed blocks of one author: a player, or a module, which does not hear of them. */
  noteEdited(author: Pick<ToldChange, 'by' | 'module'>, changes: readonly ChangedBlock[]): void
  /** The player may be in another zone now. */
  noteZone(session: Session): void
  /** Reads the data of modules for a player who is about to join. Rejects with AppError. */
  loadPlayer(playerId: string): Promise<PlayerValues>
  /** Whether modules need no other data of the player: none was loaded in the meantime, and none left the memory. */
  hasAllValues(playerId: string, values: PlayerValues): boolean
  /** The player has a session now, and modules can use their data. */
  enter(session: Session, values: PlayerValues): void
  /** The session has ended. The data of modules is written soon. */
  leave(session: Session): void
  /** Passes a message to its module. `answer` is called in this tick or a later one. */
  receive(
    session: Session,
    call: ClientMessageOf<'moduleCall'>,
    answer: (reply: Omit<ServerMessageOf<'moduleReply'>, 'seq'>) => void,
  ): void
  /** The declared cost of a message in the budget of its sender. */
  costOf(call: ClientMessageOf<'moduleCall'>): number
  /** In a tick, after the messages of clients: answers the open decisions. */
  settle(): void
  /** Once a tick, before edits are sent: runs events, timers, `tick` and jobs. */
  step(): void
  /** Ends all modules in the next step, after `on.stop`. */
  stop(reason: StopReason): void
}

/** Notes the changed blocks of a tick for modules, by author. A module does not hear of its own edits. */
export const noteEdited = (
  modules: Pick<ModuleHooks, 'handles' | 'noteEdited'>,
  registry: Pick<BlockRegistry, 'idOf'>,
  changes: readonly ToldChange[],
): void => {
  if (changes.length === 0 || !modules.handles('edited')) return
  let author: Pick<ToldChange, 'by' | 'module'> | undefined
  let run: ChangedBlock[] = []
  const end = (): void => {
    if (author !== undefined && run.length > 0) modules.noteEdited(author, run)
    run = []
  }
  for (const { x, y, z, before, index, by, module } of changes) {
    if (author?.by !== by || author.module !== module) end()
    author = { by, module }
    run.push({ x, y, z, from: registry.idOf(before), to: registry.idOf(index) })
  }
  end()
}
