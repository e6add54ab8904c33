import type { ModuleStatus } from '../../shared/domain/modules/module-status.ts'

/** The modules of this node, for admins. */
export type ModuleControl = {
  /**
   * Loads one module again, or all of them, and resolves to their names. Throws AppError: `not-found`; `module-not-loaded`, and the
   * running version stays; `would-lose` without `yes`, with `lost` in its members.
   */
  reload(name: string | undefined, options?: { readonly yes?: boolean }): Promise<readonly string[]>
  /** Starts or ends a module until the next start. Throws like `reload`. */
  setEnabled(name: string, isEnabled: boolean): Promise<void>
  /** All modules of this node by name, also those that do not run. */
  list(): readonly ModuleStatus[]
}
