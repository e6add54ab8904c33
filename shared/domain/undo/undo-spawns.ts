import { createParser } from '../../kernel/schema.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import { WorldSpawn } from '../worlds/world.ts'
import type { WorldService } from '../worlds/world-service.ts'
import { notUndoable, refuseChanged, type Undoer } from './undoer.ts'

const parseSpawn = createParser(WorldSpawn)

type Deps = {
  readonly worlds: Pick<WorldService, 'getWorld' | 'setSpawn'>
  readonly events: Pick<EventBus, 'publish'>
}

/** Spawns that were moved with `/setspawn`. The node that runs the world applies the undo within a second. */
export const createUndoSpawns = ({ worlds, events }: Deps): Undoer => ({
  actions: ['world.spawn'],
  permission: 'command.setspawn',
  plan: async (entry) => {
    const before = entry.before === null ? { ok: true as const, value: undefined } : parseSpawn(entry.before)
    if (!before.ok) throw notUndoable('This entry does not have the previous position.')
    const { target } = entry
    refuseChanged(entry, (await worlds.getWorld(target)).spawn)
    return {
      would: before.value ?? null,
      apply: async (actor) => {
        const { spawn } = await worlds.setSpawn(target, before.value, actor, (current) => refuseChanged(entry, current))
        await events.publish('spawn-changed', { world: target })
        return spawn ?? null
      },
    }
  },
})
