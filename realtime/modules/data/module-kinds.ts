import type { TSchema } from '@sinclair/typebox'
import {
  type CompileOptions,
  compileData,
  type DataDeclaration,
  type DataKind,
} from '../../../shared/domain/modules/data/data-kind.ts'
import { ModuleNotLoaded } from '../../../shared/domain/modules/module-source.ts'
import type { LoadedSpec } from '../../../shared/domain/modules/module-spec.ts'
import { AppError, type Fault } from '../../../shared/kernel/errors.ts'

/** The stored values that a module declares. */
export type ModuleKinds = {
  readonly player: DataKind | undefined
  readonly state: DataKind | undefined
  readonly records: ReadonlyMap<string, DataKind>
}

/** A state may be declared as a schema alone. */
const toDeclaration = (declared: object): DataDeclaration =>
  'schema' in declared ? (declared as DataDeclaration) : { schema: declared as TSchema }

/** Compiles the declarations of a module. Throws ModuleNotLoaded with the place of each fault. */
export const compileKinds = (
  { declare }: Pick<LoadedSpec, 'declare'>,
  options: Pick<CompileOptions, 'call' | 'bytesMax'>,
): ModuleKinds => {
  const faults: Fault[] = []
  const compile = (pointer: string, declared: object, needsInitial: boolean): DataKind | undefined => {
    try {
      return compileData(toDeclaration(declared), { ...options, needsInitial })
    } catch (error) {
      const message = error instanceof AppError ? error.publicDetail : error instanceof Error ? error.message : String(error)
      faults.push({ pointer, message })
      return undefined
    }
  }
  const player = declare.player && compile('/declare/player', declare.player, true)
  const state = declare.state && compile('/declare/state', declare.state, true)
  const records = new Map<string, DataKind>()
  for (const [name, declared] of Object.entries(declare.records ?? {})) {
    const kind = compile(`/declare/records/${name}`, declared, false)
    if (kind !== undefined) records.set(name, kind)
  }
  if (faults.length > 0) throw new ModuleNotLoaded(faults)
  return { player, state, records }
}
