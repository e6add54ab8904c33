import { type ModuleOrder, type ModuleOrdered, problemOf } from '../../shared/domain/modules/admin/module-orders.ts'
import { rightsOf } from '../../shared/domain/permissions/token-scope.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { Services } from '../../shared/services/wire-services.ts'
import type { CommandList } from '../commands/command-list.ts'
import { findModuleCommand } from '../commands/find-module-command.ts'
import type { ModuleControl } from '../commands/module-control.ts'
import type { Game } from '../game/game.ts'
import type { ModuleValues } from './data/module-values.ts'
import type { GameModules } from './game-modules.ts'
import { type MessageAnswer, type MessageSender, mayUse } from './module-messages.ts'
import { describeModules } from './report-modules.ts'

export type FollowOrdersDeps = Pick<Services, 'accountStore' | 'configs' | 'events' | 'log' | 'permissions'> & {
  readonly nodeId: string
  readonly worldName: string
  readonly modules: GameModules
  readonly host: ModuleControl
  readonly values: ModuleValues
  readonly commandList: Pick<CommandList, 'all'>
  readonly enqueue: Game['enqueue']
}

type Outcome = Pick<ModuleOrdered, 'outcome' | 'value'>

const absent: Outcome = { outcome: 'absent' }

/** A refusal of a message, as a problem of HTTP. */
const toError = ({ code, reason, pointer, permission }: Extract<MessageAnswer, { ok: false }>): AppError => {
  if (code === 'unknown-message') return new AppError('not-found', 'not-found', reason)
  if (code === 'forbidden')
    return new AppError('forbidden', 'missing-permission', `This needs the permission ${permission ?? ''}.`)
  if (code === 'module-rules') return new AppError('unprocessable', 'module-rules', reason)
  if (code === 'module-failed') return new AppError('unavailable', 'module-failed', reason)
  return new AppError('invalid', 'bad-request', 'The body is not valid.', {
    errors: [{ pointer: pointer ?? '', message: reason }],
  })
}

/** Carries out orders about modules from other processes. Returns a function that stops it. */
export const followModuleOrders = async (deps: FollowOrdersDeps): Promise<() => void> => {
  const { accountStore, configs, events, log, permissions, nodeId, worldName, modules, host, values, commandList, enqueue } = deps

  const find = (name: string) => describeModules(host).find((module) => module.name === name)

  const call = async (order: ModuleOrder & { readonly kind: 'call' }): Promise<Outcome> => {
    const { module: name, name: message, params, playerId, verified, scope } = order
    const account = await accountStore.findByPlayerId(playerId)
    if (account === undefined) return absent
    const rights = rightsOf({ verified, scope })
    const may = (permission: string): boolean => mayUse(permissions.rulesOfSignIn(account, rights), permission, verified)
    await values.openPlayer(name, playerId)
    const caller = {
      playerId,
      displayName: account.displayName,
      groups: permissions.groupsOfSignIn(account, verified),
      may,
    }
    const sender: MessageSender = { playerId, isOverHttp: true, may, playerFor: (module) => modules.remotePlayer(module, caller) }
    const answer = await new Promise<MessageAnswer>((resolve) =>
      enqueue(() => modules.receiveFrom(sender, { module: name, name: message, params }, resolve)),
    )
    if (!answer.ok) throw toError(answer)
    return { outcome: 'done', value: answer.reply }
  }

  const carryOut = async (order: ModuleOrder): Promise<Outcome> => {
    if (order.kind === 'advise') return { outcome: 'done', value: await host.advise(order.playerId, order.action) }
    if (order.kind === 'read-settings') return { outcome: 'done', value: host.settings() }
    if (order.kind === 'check-settings') {
      // A reload of another process may not have reached this one.
      await configs.catchUp()
      return { outcome: 'done', value: await host.checkSettings(order.modules) }
    }
    if (order.kind === 'find-command') {
      const found = findModuleCommand(commandList.all(), order.command)
      if (found === undefined) return absent
      const { name, permission, privileged } = found
      return { outcome: 'done', value: { name, permission, privileged } }
    }
    const { kind, module } = order
    if (kind === 'call') return call(order)
    if (kind === 'read-player') {
      const value = values.readPlayer(module, order.playerId)
      return value === undefined ? absent : { outcome: 'done', value }
    }
    if (kind === 'write-player') {
      const value = await values.writePlayer(module, order.playerId, order)
      return value === undefined ? absent : { outcome: 'done', value }
    }
    if (kind === 'check-data') {
      const value = values.checkValue(module, order.record, order.value)
      return value === undefined ? absent : { outcome: 'done', value }
    }
    // A module that is new in the folder is not listed yet.
    if (kind === 'reload') await host.reload(module, { yes: order.yes })
    else await host.setEnabled(module, order.isOn)
    return { outcome: 'done', value: find(module) }
  }

  return events.subscribe('module-order', async ({ id, world, order }) => {
    if (world !== undefined && world !== worldName) return
    try {
      await events.publish('module-ordered', { id, nodeId, ...(await carryOut(order)) })
    } catch (error) {
      if (!(error instanceof AppError)) {
        const module = 'module' in order ? order.module : undefined
        log.error({ err: error, order: order.kind, module }, 'an order about modules failed')
        return
      }
      await events.publish('module-ordered', { id, nodeId, outcome: 'refused', problem: problemOf(error) })
    }
  })
}
