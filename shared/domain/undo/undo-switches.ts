import type { Clock } from '../../kernel/clock.ts'
import type { Ids } from '../../kernel/ids.ts'
import { createParser } from '../../kernel/schema.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { AccountStore } from '../accounts/store/account-store.ts'
import { refuseHigher } from '../accounts/who-may-grant.ts'
import { createAuditEntry } from '../audit/audit-entry.ts'
import type { Permissions } from '../permissions/permissions.ts'
import { changeDisabledCommands } from '../players/disabled-commands.ts'
import { emptyPlayerState, PlayerState, playerStates } from '../players/player-state.ts'
import { notUndoable, refuseChangedFields, type Undoer, withFieldsOf } from './undoer.ts'

const parseState = createParser(PlayerState)

const opposites: Readonly<Record<string, string>> = {
  'player.disable-command': 'player.enable-command',
  'player.enable-command': 'player.disable-command',
}

type Deps = {
  readonly store: Store
  readonly accountStore: Pick<AccountStore, 'findByEmail'>
  readonly permissions: Permissions
  readonly events: Pick<EventBus, 'publish'>
  readonly clock: Clock
  readonly ids: Ids
}

/** Commands that were switched off or on for another player. */
export const createUndoSwitches = ({ store, accountStore, permissions, events, clock, ids }: Deps): Undoer => ({
  actions: Object.keys(opposites),
  permission: 'command.disable.others',
  plan: async (entry, actor) => {
    const [was, left] = [parseState(entry.before), parseState(entry.after)]
    const account = await accountStore.findByEmail(entry.target)
    if (!was.ok || !left.ok || account === undefined) throw notUndoable('The account no longer exists.')
    refuseHigher(permissions, actor.rules, account)
    const { playerId } = account
    const action = opposites[entry.action] ?? entry.action
    const lead = (current: PlayerState): PlayerState =>
      withFieldsOf(current, was.value, refuseChangedFields({ before: was.value, after: left.value }, current))
    return {
      would: lead((await store.get(playerStates, playerId))?.value ?? emptyPlayerState),
      apply: async (undoing) => {
        const next = await changeDisabledCommands(store, playerId, (current) => {
          const after = lead(current)
          const change = { action, target: entry.target, before: current, after }
          return { next: after, result: after, audit: createAuditEntry({ clock, ids }, undoing, change) }
        })
        // A new id instead of a node's, so that every node reads the change.
        await events.publish('commands-switched', { playerId, nodeId: ids.uuid() })
        return next
      },
    }
  },
})
