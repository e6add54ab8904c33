import { isDeepStrictEqual } from 'node:util'
import { type Static, Type } from '@sinclair/typebox'
import { AppError, type Fault } from '../../../kernel/errors.ts'
import { createParser } from '../../../kernel/schema.ts'
import type { ModulesConfig } from '../modules-config.ts'
import { answerMsDefault, type ModuleOrders } from './module-orders.ts'

/** The answer of a node about one entry of `modules.yaml`. */
export const EntryCheck = Type.Object({
  isRunning: Type.Boolean(),
  /** Absent if the node never read a definition of the module. */
  faults: Type.Optional(Type.Array(Type.Object({ pointer: Type.Optional(Type.String()), message: Type.String() }))),
  /** Why the module does not load. */
  failure: Type.Optional(Type.String()),
  /** A file of this name is there: the module runs without an entry too. */
  hasFile: Type.Optional(Type.Boolean()),
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

/** Deleted entries of modules that may run without one, with other settings than before. */
const listDeleted = (before: ModulesConfig | undefined, next: ModulesConfig): readonly string[] =>
  Object.entries(before?.modules ?? {}).flatMap(([name, { enabled, settings = {} }]) =>
    next.modules[name] === undefined && (!enabled || Object.keys(settings).length > 0) ? [name] : [],
  )

const warnOfSilent = (nodeId: string, answerMs: number): string =>
  `The node ${nodeId} did not answer within ${answerMs / 1000} seconds. Its modules were not checked.`

/** Checks changed settings of enabled modules, and that modules with an entry exist. */
export const createCheckModuleSettings =
  ({ sendToAll }: Pick<ModuleOrders, 'sendToAll'>): CheckModuleSettings =>
  async (before, next, answerMs = answerMsDefault) => {
    const changed = listChanged(before, next)
    const deleted = listDeleted(before, next)
    if (before !== undefined && changed.length + deleted.length === 0) return { modules: [], warnings: [] }
    const settings = Object.fromEntries([...changed, ...deleted].map((name) => [name, next.modules[name]?.settings ?? {}]))
    const { outcomes, silent } = await sendToAll({ kind: 'check-settings', modules: settings }, answerMs).catch(
      (error: unknown) => {
        if (error instanceof AppError && error.kind === 'unavailable') return { outcomes: [], silent: [] }
        throw error
      },
    )
    const answers = outcomes.flatMap((outcome) => {
      const parsed = outcome.outcome === 'done' ? parseAnswer(outcome.value) : undefined
      return parsed?.ok ? [parsed.value] : []
    })
    const answersOn = (name: string): readonly EntryCheck[] => answers.flatMap(({ [name]: answer }) => answer ?? [])
    const modules: FaultySettings[] = []
    const warnings: string[] = []
    const noteFaults = (name: string, faults: readonly Fault[]): void => {
      const isRunning = answersOn(name).some((answer) => answer.isRunning)
      if (faults.length > 0) modules.push({ name, isRunning, faults })
    }
    for (const name of changed) {
      const given = answersOn(name)
      const isEnabled = next.modules[name]?.enabled === true
      const faults = pickFaults(given)
      if (faults === undefined) warnings.push(...warnOf(name, isEnabled, given))
      else if (isEnabled) noteFaults(name, faults)
    }
    // Without `before`, nodes also answer for modules that have no entry.
    const others = before === undefined ? answers.flatMap((answer) => Object.keys(answer)) : deleted
    for (const name of new Set(others)) {
      const given = answersOn(name).filter(({ hasFile }) => hasFile === true)
      if (next.modules[name] === undefined) noteFaults(name, pickFaults(given) ?? [])
    }
    return { modules, warnings: [...warnings, ...silent.map((nodeId) => warnOfSilent(nodeId, answerMs))] }
  }
