import type { ModuleAdvice } from '../../shared/domain/explain/check-modules.ts'
import type { EntryCheck } from '../../shared/domain/modules/admin/check-settings.ts'
import type { ModuleOrder } from '../../shared/domain/modules/admin/module-orders.ts'
import type { ModuleStatus } from '../../shared/domain/modules/module-status.ts'

/** An edit or a command that modules decide about. */
export type PlayerAction = Extract<ModuleOrder, { kind: 'advise' }>['action']

/** The modules of this node, for admins. */
export type ModuleControl = {
  /**
   * Loads one module again, or all of them, and resolves to the names of replaced modules. With `onlyChanged`, modules with the same code
   * and entry in `modules.yaml` keep running. Throws AppError: `not-found`; `module-not-loaded` with the result of each module, and the
   * running versions stay; `would-lose` without `yes`, with `lost` in its members.
   */
  reload(
    name: string | undefined,
    options?: { readonly yes?: boolean; readonly onlyChanged?: boolean },
  ): Promise<readonly string[]>
  /** Starts or ends a module until the next start. Throws like `reload`. */
  setEnabled(name: string, isEnabled: boolean): Promise<void>
  /**
   * Profiles the node for that time, to see what a module does, and resolves to the path of the file. Throws AppError `not-found`, and
   * `conflict` while another profile runs.
   */
  profile(name: string, durationMs: number): Promise<string>
  /** The commands of these modules whose short name another command has, each as a sentence. */
  takenNames(modules: readonly string[]): readonly string[]
  /** What each module says about an action of a player, in a later tick. Nothing is carried out. */
  advise(playerId: string, action: PlayerAction): Promise<readonly ModuleAdvice[]>
  /**
   * Checks settings of modules by name, after pending changes of `modules.yaml`, and those of modules without an entry. Faults have
   * pointers into that file.
   */
  checkSettings(
    modules: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ): Promise<Readonly<Record<string, EntryCheck>>>
  /** The JSON Schemas of the settings of the running modules, by name. */
  settings(): Readonly<Record<string, unknown>>
  /** All modules of this node by name, also those that do not run. */
  list(): readonly ModuleStatus[]
}
