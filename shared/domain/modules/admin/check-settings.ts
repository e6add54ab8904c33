import { isDeepStrictEqual } from 'node:util'
import { Type } from '@sinclair/typebox'
import { AppError, type Fault } from '../../../kernel/errors.ts'
import { createParser } from '../../../kernel/schema.ts'
import type { ModulesConfig } from '../modules-config.ts'
import type { ModuleOrders } from './module-orders.ts'

export type SettingsCheck = {
  /** With pointers into `modules.yaml`. */
  readonly faults: readonly Fault[]
  /** Modules that no node could check. */
  readonly unchecked: readonly string[]
}

/** Checks changed settings of enabled modules. Takes at most two seconds. */
export type CheckModuleSettings = (before: ModulesConfig, next: ModulesConfig) => Promise<SettingsCheck>

const parseAnswer = createParser(
  Type.Record(Type.String(), Type.Array(Type.Object({ pointer: Type.Optional(Type.String()), message: Type.String() }))),
)

const listChanged = (before: ModulesConfig, next: ModulesConfig): [string, Record<string, unknown>][] =>
  Object.entries(next.modules).flatMap(([name, { enabled, settings = {} }]) => {
    const former = before.modules[name]
    const isSame = former?.enabled === true && isDeepStrictEqual(former.settings ?? {}, settings)
    return enabled && !isSame ? [[name, settings]] : []
  })

/** While versions of a module run at the same time, settings are good if one of them accepts them. */
const pickFaults = (answers: readonly (readonly Fault[])[]): readonly Fault[] =>
  answers.some((faults) => faults.length === 0) ? [] : (answers[0] ?? [])

export const createCheckModuleSettings =
  ({ send }: ModuleOrders): CheckModuleSettings =>
  async (before, next) => {
    const changed = listChanged(before, next)
    if (changed.length === 0) return { faults: [], unchecked: [] }
    const outcomes = await send({ kind: 'check-settings', modules: Object.fromEntries(changed) }).catch((error: unknown) => {
      if (error instanceof AppError && error.kind === 'unavailable') return []
      throw error
    })
    const answers = outcomes.flatMap((outcome) => {
      const parsed = outcome.outcome === 'done' ? parseAnswer(outcome.value) : undefined
      return parsed?.ok ? [parsed.value] : []
    })
    const checks = changed.map(([name]) => ({ name, found: answers.flatMap(({ [name]: faults }) => (faults ? [faults] : [])) }))
    return {
      faults: checks.flatMap(({ found }) => pickFaults(found)),
      unchecked: checks.filter(({ found }) => found.length === 0).map(({ name }) => name),
    }
  }
