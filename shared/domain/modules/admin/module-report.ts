import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../kernel/closed-object.ts'
import { createParser } from '../../../kernel/schema.ts'
import type { NodeReports } from '../../node-reports/node-reports.ts'

/** The last fault of a module. */
const ReportedFault = ClosedObject(
  {
    at: Type.String({ format: 'date-time', description: 'When it happened.' }),
    id: Type.String({ description: 'The id of the fault in the log.' }),
    message: Type.String(),
    handler: Type.Optional(Type.String({ description: 'The handler that failed, such as `on.joined`.' })),
    file: Type.Optional(Type.String({ description: 'Relative to the modules folder.' })),
    line: Type.Optional(Type.Integer({ minimum: 1 })),
    column: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { description: 'The last fault.' },
)

/** The time of one handler. */
const ReportedHandler = ClosedObject({
  handler: Type.String({ description: 'Its place in the definition of the module, such as `on.tick`.' }),
  calls: Type.Integer({ minimum: 1, description: 'The number of its calls.' }),
  msPerCall: Type.Number({ minimum: 0, description: 'The average time of a call, in milliseconds.' }),
  longestMs: Type.Number({ minimum: 0, description: 'The time of its longest call, in milliseconds.' }),
})

/** From the best state to the worst. */
const states = ['running', 'disabled', 'slowed', 'off', 'failed'] as const

/** A module, as a node runs it or failed to load it. */
export const ReportedModule = ClosedObject({
  name: Type.String(),
  version: Type.String({ description: 'Empty if the module has none.' }),
  api: Type.Integer({ description: 'The version of the module interface.' }),
  state: Type.Union(
    states.map((state) => Type.Literal(state)),
    {
      description:
        '`running`; `slowed`: it runs in every second or fourth tick; `off`: switched off by faults, its time or an admin; `failed`: it did not load; `disabled` in `modules.yaml`.',
    },
  ),
  reason: Type.Optional(
    Type.String({
      description: 'Why it is `slowed` or `off`.',
      examples: ['it takes 6.2 ms per tick, more than 4 ms'],
    }),
  ),
  required: Type.Boolean({ description: 'Whether the server does not start without it.' }),
  fault: Type.Optional(ReportedFault),
  msPerTick: Type.Number({
    minimum: 0,
    description: 'The average time per tick of the last second, in milliseconds; 0 if it does not run.',
  }),
  handlers: Type.Array(ReportedHandler, {
    maxItems: 5,
    description: 'The handlers with the most time in the last minute, the slowest first.',
  }),
  faults: Type.Integer({ minimum: 0, description: 'The number of faults since it was loaded.' }),
  setAside: Type.Integer({
    minimum: 0,
    description: 'The number of stored values that its schemas could not read when it was loaded, and since then.',
  }),
  entities: Type.Integer({ minimum: 0, description: 'The number of its entities in the world.' }),
  commands: Type.Array(Type.String(), { description: 'The names of its commands, as players enter them.' }),
  messages: Type.Array(Type.String(), { description: 'The messages that it receives.' }),
  permissions: Type.Array(Type.String()),
})
export type ReportedModule = Static<typeof ReportedModule>

const parseReport = createParser(Type.Array(ReportedModule))

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reports the modules of a node. */
export const tellModules = (
  reports: Pick<NodeReports, 'tell'>,
  nodeId: string,
  modules: readonly ReportedModule[],
): Promise<void> => reports.tell('modules', nodeId, JSON.stringify(modules))

const isWorse = ({ state }: ReportedModule, other: ReportedModule): boolean => states.indexOf(state) > states.indexOf(other.state)

/** One module of several nodes: the worst state, the longest time and all faults. */
const merge = (one: ReportedModule, other: ReportedModule): ReportedModule => {
  const [worse, better] = isWorse(other, one) ? [other, one] : [one, other]
  const fault = [worse.fault, better.fault].filter((found) => found !== undefined).sort((a, b) => (a.at < b.at ? 1 : -1))[0]
  return {
    ...worse,
    ...(fault !== undefined && { fault }),
    msPerTick: Math.max(one.msPerTick, other.msPerTick),
    handlers: (one.msPerTick >= other.msPerTick ? one : other).handlers,
    faults: one.faults + other.faults,
    setAside: Math.max(one.setAside, other.setAside),
    entities: one.entities + other.entities,
  }
}

/** The permissions that the modules of all nodes declare; undefined if no node reports its modules. Throws AppError `unavailable`. */
export const listReportedPermissions = async (reports: Pick<NodeReports, 'list'>): Promise<readonly string[] | undefined> => {
  const found = (await reports.list('modules')).map(({ text }) => parseReport(parseJson(text))).filter((report) => report.ok)
  return found.length === 0 ? undefined : found.flatMap(({ value }) => value.flatMap(({ permissions }) => permissions))
}

/** The modules of all nodes as of a second ago, by name. Throws AppError `unavailable`. */
export const listModules = async (reports: Pick<NodeReports, 'list'>): Promise<readonly ReportedModule[]> => {
  const byName = new Map<string, ReportedModule>()
  for (const { text } of await reports.list('modules')) {
    const report = parseReport(parseJson(text))
    // Skips nodes of another version with a different format.
    if (!report.ok) continue
    for (const module of report.value) {
      const known = byName.get(module.name)
      byName.set(module.name, known === undefined ? module : merge(known, module))
    }
  }
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}
