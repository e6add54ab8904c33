import { findUnknownKeys } from '../../shared/domain/modules/find-unknown-keys.ts'
import { ModuleNotLoaded } from '../../shared/domain/modules/module-source.ts'
import type { LoadedSpec } from '../../shared/domain/modules/module-spec.ts'
import type { ModuleEntry } from '../../shared/domain/modules/modules-config.ts'
import { pointerTo } from '../../shared/kernel/describe-fault.ts'
import type { Fault } from '../../shared/kernel/errors.ts'
import { createParser, type ParseResult } from '../../shared/kernel/schema.ts'

/** The settings of an entry, or all faults with pointers into `modules.yaml`. */
export const readSettings = (
  { name, declare }: LoadedSpec,
  settings: Readonly<Record<string, unknown>> = {},
): ParseResult<unknown> => {
  const schema = declare.settings
  const unknown =
    schema === undefined
      ? Object.keys(settings).map((key) => ({ pointer: pointerTo('', key), message: 'is not a setting of this module' }))
      : findUnknownKeys(schema, settings)
  const parsed = schema === undefined ? undefined : createParser(schema, 'defaults')(settings)
  const others = parsed === undefined || parsed.ok ? [] : parsed.faults
  const isUnknown = ({ pointer }: Fault): boolean => unknown.some((fault) => fault.pointer === pointer)
  const faults = [...others.filter((fault) => !isUnknown(fault)), ...unknown]
  if (faults.length === 0) return { ok: true, value: parsed?.ok ? parsed.value : {} }
  const prefix = `/modules/${name}/settings`
  return { ok: false, faults: faults.map(({ pointer = '', message }) => ({ pointer: `${prefix}${pointer}`, message })) }
}

/** Throws ModuleNotLoaded with all faults. */
export const parseSettings = (spec: LoadedSpec, { settings }: Pick<ModuleEntry, 'settings'>): unknown => {
  const read = readSettings(spec, settings)
  if (!read.ok) throw new ModuleNotLoaded(read.faults)
  return read.value
}
