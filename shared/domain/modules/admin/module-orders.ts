import { AppError, type ErrorKind } from '../../../kernel/errors.ts'
import type { Ids } from '../../../kernel/ids.ts'
import { type ProblemSlug, problems } from '../../../kernel/problems/problems.ts'
import { startTimeLimit } from '../../../kernel/time-limit.ts'
import type { EventBus, EventOf } from '../../../platform/events/event-bus.ts'
import type { NodeReports } from '../../node-reports/node-reports.ts'

/** An action on modules that nodes carry out. */
export type ModuleOrder = EventOf<'module-order'>['order']
export type ModuleOrdered = EventOf<'module-ordered'>

/** The answers of nodes to an order. */
export type ModuleOutcome =
  | { readonly outcome: 'done'; readonly nodeId: string; readonly value: unknown }
  | { readonly outcome: 'refused'; readonly nodeId: string; readonly error: AppError }

export type SendOptions = {
  /** Only the node of this world. Without it, all nodes. */
  readonly world?: string
  /** How long the nodes have to answer, in milliseconds: 2,000 when absent. */
  readonly answerMs?: number
}

/** Sends orders about modules to nodes. */
export type ModuleOrders = {
  /** The answers of the nodes that are concerned: empty if there is none, or if none answers in time. */
  send(order: ModuleOrder, options?: SendOptions): Promise<readonly ModuleOutcome[]>
  /** Sends to all nodes. `silent` has the ids of nodes that did not answer in time. */
  sendToAll(
    order: ModuleOrder,
    answerMs?: number,
  ): Promise<{ readonly outcomes: readonly ModuleOutcome[]; readonly silent: readonly string[] }>
}

export type ModuleOrdersDeps = {
  readonly events: Pick<EventBus, 'publish' | 'subscribe'>
  readonly nodeReports: Pick<NodeReports, 'list'>
  readonly ids: Pick<Ids, 'uuid'>
}

/** How long nodes have to answer by default. */
export const answerMsDefault = 2_000

const kinds: readonly ErrorKind[] = [
  'invalid',
  'forbidden',
  'not-found',
  'conflict',
  'stale',
  'too-large',
  'unprocessable',
  'limited',
]

const isSlug = (slug: string): slug is ProblemSlug => Object.hasOwn(problems, slug)

/** The refusal of another process, as an error here. */
const toError = ({ problem }: ModuleOrdered): AppError => {
  const kind = kinds.find((known) => known === problem?.kind) ?? 'unavailable'
  const slug = problem !== undefined && isSlug(problem.slug) ? problem.slug : 'service-unavailable'
  const errors = problem?.errors?.map((fault) => ({ ...fault, message: String(fault.message) }))
  return new AppError(kind, slug, problem?.detail ?? 'A node refused the order.', {
    ...(errors !== undefined && { errors }),
    ...(problem?.members !== undefined && { members: problem.members }),
  })
}

/** A refusal as an event carries it. Throws anything that is not an AppError. */
export const problemOf = (error: unknown): NonNullable<ModuleOrdered['problem']> => {
  if (!(error instanceof AppError)) throw error
  const { kind, slug, publicDetail, errors, members } = error
  return {
    kind,
    slug,
    detail: publicDetail,
    ...(errors !== undefined && { errors: errors.map((fault) => ({ ...fault })) }),
    ...(Object.keys(members).length > 0 && { members: { ...members } }),
  }
}

/** Subscribes with the first order, for the lifetime of the process. */
export const createModuleOrders = ({ events, nodeReports, ids }: ModuleOrdersDeps): ModuleOrders => {
  const pending = new Map<string, (ordered: ModuleOrdered) => void>()
  let listening: Promise<unknown> | undefined
  const listen = (): Promise<unknown> => {
    listening ??= events
      .subscribe('module-ordered', (ordered) => pending.get(ordered.id)?.(ordered))
      .catch((error: unknown) => {
        listening = undefined
        throw error
      })
    return listening
  }

  const send = async (order: ModuleOrder, { world, answerMs = answerMsDefault }: SendOptions) => {
    const nodes = await nodeReports.list('players')
    const expected = world === undefined ? nodes.length : Math.min(1, nodes.length)
    if (expected === 0) return { outcomes: [], silent: [] }
    const id = ids.uuid()
    const answers: ModuleOrdered[] = []
    await new Promise<void>((resolve, reject) => {
      const end = (): void => {
        endLimit()
        pending.delete(id)
      }
      const settle = (): void => {
        end()
        resolve()
      }
      const endLimit = startTimeLimit(answerMs, settle)
      pending.set(id, (ordered) => {
        answers.push(ordered)
        if (answers.length >= expected) settle()
      })
      // A subscription has no time limit of its own: while no event arrives, all nodes are silent.
      const publish = (): void => {
        if (pending.has(id)) void events.publish('module-order', { id, order, ...(world !== undefined && { world }) })
      }
      listen().then(publish, (error: unknown) => {
        end()
        reject(error)
      })
    })
    const outcomes = answers.flatMap((ordered): ModuleOutcome[] => {
      const { outcome, nodeId, value } = ordered
      if (outcome === 'absent') return []
      return outcome === 'done' ? [{ outcome, nodeId, value }] : [{ outcome, nodeId, error: toError(ordered) }]
    })
    const answered = new Set(answers.map(({ nodeId }) => nodeId))
    return { outcomes, silent: nodes.flatMap(({ nodeId }) => (answered.has(nodeId) ? [] : [nodeId])) }
  }

  return {
    send: async (order, options = {}) => (await send(order, options)).outcomes,
    sendToAll: (order, answerMs) => send(order, answerMs === undefined ? {} : { answerMs }),
  }
}
