import { isDeepStrictEqual } from 'node:util'
import { type Static, Type } from '@sinclair/typebox'
import { AppError, type Fault } from '../../../kernel/errors.ts'
import { createParser } from '../../../kernel/schema.ts'
import type { ModulesConfig } from '../modules-config.ts'
import type { ModuleOrders } from './module-orders.ts'

/** The answer of a node about one entry of `modules.yaml`. */
export const EntryCheck = Type.Object({
  isRunning: Type.Boolean(),
  /** Absent if the node never read a definition of the module. */
  faults: Type.Optional(Type.Array(Type.Object({ pointer: Type.Optional(Type.String()), message: Type.String() }))),
  /** Why the module does not load. */
  failure: Type.Optional(Type.String()),
  /** The closest name of a module, if no file has this name. */
  nearest: Type.Optional(Type.String()),
})
export type EntryCheck = Static<typeof EntryCheck>

/** A module with bad settings. */
export type FaultySettings = {
  readonly name: string
  /** It runs, and keeps its settings. */
  readonly isRunning: boolean
  /** With pointers into `modules.yaml`. */
  readonly faults: readonly Fault[]
}

export type SettingsCheck = {
  readonly modules: readonly FaultySettings[]
  /** Sentences about modules that no node could check, and about entries without a module. */
  readonly warnings: readonly string[]
}

export type CheckModuleSettings = (
  /** Without it, all entries are checked. */
  before: ModulesConfig | undefined,
  next: ModulesConfig,
  /** How long the nodes have to answer: two seconds when absent. */
  answerMs?: number,
) => Promise<SettingsCheck>

const parseAnswer = createParser(Type.Record(Type.String(), EntryCheck))

const listChanged = (before: ModulesConfig | undefined, next: ModulesConfig): readonly string[] =>
  Object.keys(next.modules).filter((name) => {
    const [former, entry] = [before?.modules[name], next.modules[name]]
    return former?.enabled !== entry?.enabled || !isDeepStrictEqual(former?.settings ?? {}, entry?.settings ?? {})
  })

/** While versions of a module run at the same time, settings are good if one of them accepts them. */
const pickFaults = (answers: readonly EntryCheck[]): readonly Fault[] | undefined => {
  const known = answers.flatMap(({ faults }) => (faults === undefined ? [] : [faults]))
  return known.find((faults) => faults.length === 0) ?? known[0]
}

const warnOf = (name: string, isEnabled: boolean, answers: readonly EntryCheck[]): readonly string[] => {
  const failure = answers.find((answer) => answer.failure !== undefined)?.failure
  const nearest = answers.find((answer) => answer.nearest !== undefined)?.nearest
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  if (!isEnabled) return hint === '' ? [] : [`There is no module "${name}", which modules.yaml disables.${hint}`]
  if (failure !== undefined) return [`The module ${name} does not run. ${failure}${hint}`]
  return [`The settings of "${name}" were not checked, because no running node has loaded this module.${hint}`]
}

/** Checks changed settings of enabled modules, and that modules with an entry exist. */
export const createCheckModuleSettings =
  ({ send }: ModuleOrders): CheckModuleSettings =>
  async (before, next, answerMs) => {
    const changed = listChanged(before, next)
    if (changed.length === 0) return { modules: [], warnings: [] }
    const settings = Object.fromEntries(changed.map((name) => [name, next.modules[name]?.settings ?? {}]))
    const options = answerMs === undefined ? {} : { answerMs }
    const outcomes = await send({ kind: 'check-settings', modules: settings }, options).catch((error: unknown) => {
      if (error instanceof AppError && error.kind === 'unavailable') return []
      throw error
    })
    const answers = outcomes.flatMap((outcome) => {
      const parsed = outcome.outcome === 'done' ? parseAnswer(outcome.value) : undefined
      return parsed?.ok ? [parsed.value] : []
    })
    const modules: FaultySettings[] = []
    const warnings: string[] = []
    for (const name of changed) {
      const given = answers.flatMap(({ [name]: answer }) => answer ?? [])
      const isEnabled = next.modules[name]?.enabled === true
      const faults = pickFaults(given)
      if (faults === undefined) warnings.push(...warnOf(name, isEnabled, given))
      else if (isEnabled && faults.length > 0) modules.push({ name, isRunning: given.some(({ isRunning }) => isRunning), faults })
    }
    return { modules, warnings }
  }
