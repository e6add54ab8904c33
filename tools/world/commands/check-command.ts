import type { WorldRef } from '../../../shared/domain/worlds/store/chunk-store.ts'
import type { WorldRecord } from '../../../shared/domain/worlds/world.ts'
import { keptForImport } from '../../../shared/domain/worlds/world-names.ts'
import { type ColumnFault, checkWorld } from '../check-world.ts'
import { readArguments } from '../read-arguments.ts'
import { countOf, plural } from '../words.ts'
import { defineWorldCommand, type WorldContext, type WorldExit } from '../world-command.ts'

type Tally = { setAside: number }

/** The store forgets a column that it sets aside. A column without a record gets one first. */
const setAside = async ({ task }: WorldContext, world: WorldRef, fault: ColumnFault, fence: number): Promise<void> => {
  const { cx, cz, kind } = fault
  if (kind === 'missing') await task.chunks.putMany(world, [{ cx, cz, bytes: Uint8Array.of(0) }], fence)
  await task.chunks.setAside(world, { cx, cz }, fence)
}

const tellFault = ({ print }: WorldContext, { cx, cz, fault }: ColumnFault, what = ''): void =>
  print(`column ${cx},${cz}: ${fault}${what}\n`)

const concludes = (context: WorldContext, world: WorldRecord, counts: Awaited<ReturnType<typeof checkWorld>>): boolean => {
  const { columns, faults, countedByStore } = counts
  const agrees = columns === countedByStore
  if (!agrees) context.print(`The store counts ${plural(countedByStore, 'column')}, but there are ${countOf(columns)}.\n`)
  if (faults === 0 && agrees) context.print(`All ${plural(columns, 'column')} of ${world.name} are valid.\n`)
  else context.print(`${plural(faults, 'fault')} in ${plural(columns, 'column')} of ${world.name}.\n`)
  return faults === 0 && agrees
}

const look = async (context: WorldContext, world: WorldRecord): Promise<WorldExit> => {
  const counts = await checkWorld(context, world, async (fault) => tellFault(context, fault))
  if (concludes(context, world, counts)) return 0
  context.complain(
    `Stop the server that runs ${world.name} and run npm run world -- check ${world.name} --repair to set damaged columns aside. They are then generated again.\n`,
  )
  return 3
}

/** Under the lease, so that no node writes between the check and the repair. */
const repair = async (context: WorldContext, world: WorldRecord): Promise<WorldExit> => {
  const { task, print } = context
  const lease = await task.acquireLease(world)
  const tally: Tally = { setAside: 0 }
  try {
    const counts = await checkWorld(context, world, async (fault) => {
      if (fault.kind === 'newer') return tellFault(context, fault, '; kept in place')
      await setAside(context, world, fault, lease.fence)
      tally.setAside += 1
      tellFault(context, fault, '; set aside')
    })
    concludes(context, world, counts)
    if (tally.setAside > 0) print(`Set ${plural(tally.setAside, 'column')} aside. They count as not generated from now on.\n`)
    return counts.faults === tally.setAside && counts.columns === counts.countedByStore ? 0 : 3
  } finally {
    await lease.release()
  }
}

/** Until its import is done, there is no world with this name. */
const settleImport = async ({ task, print, complain }: WorldContext, world: WorldRef, repairs: boolean): Promise<WorldExit> => {
  if (!repairs) {
    complain(`${keptForImport(world.name).publicDetail}\n`)
    return 3
  }
  await task.discardImport(world)
  print(`Discarded the import of ${world.name}: its columns are deleted, and the name is free.\n`)
  return 0
}

/** Verifies every record of a world. `--repair` sets damaged ones aside. */
export const check = defineWorldCommand({
  name: 'check',
  usage: 'NAME [--repair]',
  help: 'verifies every column; --repair sets damaged ones aside; exits with 3 if damage remains',
  parse: (args) => {
    const read = readArguments(args, ['NAME'], { repair: 'flag' })
    if (!read.ok) return read
    return { ok: true, value: { name: read.value.positionals[0] ?? '', repairs: read.value.flags.has('repair') } }
  },
  run: async (context, { name, repairs }) => {
    const unfinished = (await context.task.listImports()).find((world) => world.name === name)
    if (unfinished !== undefined) return settleImport(context, unfinished, repairs)
    const world = await context.task.worlds.getWorld(name)
    return repairs ? repair(context, world) : look(context, world)
  },
})
