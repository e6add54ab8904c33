import { Type } from '@sinclair/typebox'
import type { Actor } from '../../shared/domain/accounts/actor.ts'
import { createAuditEntry } from '../../shared/domain/audit/audit-entry.ts'
import { reloadByActor } from '../../shared/domain/configs/current/configs.ts'
import { removeConfigValue, setConfigValues } from '../../shared/domain/configs/editor/set-config-values.ts'
import type { ModuleOrder } from '../../shared/domain/modules/admin/module-orders.ts'
import { ReportedModule } from '../../shared/domain/modules/admin/module-report.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { HttpDeps } from '../deps.ts'
import { ok, route } from '../http/route.ts'
import { ModuleParams } from './module-inputs.ts'

/** A node bundles and imports the module before it answers. */
const answerMs = 15_000

const responses = { 200: ReportedModule } as const
const problems = ['not-found', 'module-not-loaded', 'service-unavailable'] as const

const noNode = (): AppError =>
  new AppError('unavailable', 'service-unavailable', 'No node answered. Check that a real-time node runs, then try again.')

/** The module after the order, as the first node has it. Throws the refusal of any node. */
const orderAll = async ({ moduleOrders, nodeReports }: HttpDeps, order: Extract<ModuleOrder, { kind: 'reload' | 'switch' }>) => {
  const outcomes = await moduleOrders.send(order, { answerMs })
  for (const outcome of outcomes) if (outcome.outcome === 'refused') throw outcome.error
  const [first] = outcomes
  if (first !== undefined && first.outcome === 'done') return first.value
  if ((await nodeReports.list('modules')).length === 0) throw noNode()
  throw new AppError('not-found', 'not-found', `The server has no module "${order.module}".`)
}

const name = 'modules.yaml'

/** Sets `enabled` of the module in modules.yaml and keeps its comments. The change is audited, and can be undone as that of a config. */
const setEnabled = async (deps: HttpDeps, actor: Actor, module: string, isOn: boolean): Promise<void> => {
  const { text, source, etag } = await deps.configEditor.read(name, actor)
  const own = source === 'default' ? '' : text
  const path = ['modules', module, 'enabled']
  // On is the default. An entry that only turned the module off goes with it, so that it does not outlive the file of the module.
  const next = isOn ? removeConfigValue(own, path) : setConfigValues(own, [{ path, value: isOn }])
  if (next === own) return
  await deps.configEditor.save(name, next, { actor, ...(source === 'data' && { ifEtag: etag }) })
  await reloadByActor(deps, actor, [name])
}

/** Loads a module again, on all nodes. */
export const reloadModule = route({
  method: 'post',
  path: '/api/admin/modules/:name/reload',
  permission: 'admin.modules.write',
  operationId: 'reloadModule',
  summary:
    'Load a module again on all nodes, between two ticks. Players, data and state stay. A load that fails keeps the running version.',
  params: ModuleParams,
  body: ClosedObject({
    yes: Type.Optional(
      Type.Boolean({ description: 'Load it even if the new version no longer has something. See `would-lose`.' }),
    ),
  }),
  isBodyOptional: true,
  responses,
  problems: [...problems, 'would-lose'],
  handle: async (deps, { params, body, actor }) => {
    const reloaded = await orderAll(deps, { kind: 'reload', module: params.name, yes: body.yes === true })
    const change = { action: 'module.reload', target: params.name, before: null, after: null }
    await deps.audit.append([createAuditEntry(deps, actor, change)])
    return ok(reloaded)
  },
})

/** Starts a module, also one that was switched off by its faults. */
export const enableModule = route({
  method: 'post',
  path: '/api/admin/modules/:name/enable',
  permission: 'admin.modules.write',
  operationId: 'enableModule',
  summary: 'Start a module on all nodes, also one that is off because of faults. `modules.yaml` keeps it.',
  params: ModuleParams,
  responses,
  problems,
  handle: async (deps, { params, actor }) => {
    const enabled = await orderAll(deps, { kind: 'switch', module: params.name, isOn: true })
    await setEnabled(deps, actor, params.name, true)
    return ok(enabled)
  },
})

/** Ends a module. Its data stays. */
export const disableModule = route({
  method: 'post',
  path: '/api/admin/modules/:name/disable',
  permission: 'admin.modules.write',
  operationId: 'disableModule',
  summary: 'End a module on all nodes. Its data stays. `modules.yaml` keeps it off.',
  params: ModuleParams,
  responses,
  problems,
  handle: async (deps, { params, actor }) => {
    const disabled = await orderAll(deps, { kind: 'switch', module: params.name, isOn: false })
    await setEnabled(deps, actor, params.name, false)
    return ok(disabled)
  },
})
