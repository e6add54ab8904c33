import { keptForImport } from '../../../shared/domain/worlds/world-names.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { type ChunkBox, chunkMax, chunkMin, isChunkPos } from '../../../shared/rules/positions.ts'
import { createMapFrame, drawMap, findBounds, scaleMax } from '../map/draw-map.ts'
import { readArguments } from '../read-arguments.ts'
import { countOf, plural, sizeOf, tableOf } from '../words.ts'
import { defineWorldCommand, type Parsed } from '../world-command.ts'

const heads = ['NAME', 'SEED', 'COLUMNS', 'SIZE', 'CREATED', 'GENERATOR', 'ACTIVE']

/** Lists all worlds, the active one first. */
export const list = defineWorldCommand({
  name: 'list',
  usage: '',
  help: 'lists the worlds',
  parse: (args) => readArguments(args, []),
  run: async ({ task, print, complain }) => {
    const worlds = await task.worlds.listWorlds()
    const rows = worlds.map(({ name, seed, chunkCount, sizeBytes, createdAt, generator, active }) => [
      name,
      String(seed),
      chunkCount,
      sizeOf(sizeBytes),
      createdAt,
      generator,
      active ? 'yes' : '',
    ])
    print(rows.length === 0 ? 'There are no worlds yet.\n' : tableOf([heads, ...rows]))
    for (const { name, warning } of worlds) if (warning !== undefined) complain(`${name}: ${warning}\n`)
    for (const { name } of await task.listImports()) complain(`${name}: ${keptForImport(name).publicDetail}\n`)
    for (const line of await task.describeStrays()) complain(`${line}\n`)
    return 0
  },
})

/** Creates a world without columns; they are generated as players come near. */
export const create = defineWorldCommand({
  name: 'create',
  usage: 'NAME [--seed S]',
  help: 'creates a world; S is an integer or a text, random by default',
  parse: (args) => {
    const read = readArguments(args, ['NAME'], { seed: 'value' })
    if (!read.ok) return read
    const { positionals, values } = read.value
    return { ok: true, value: { name: positionals[0] ?? '', seed: values.seed } }
  },
  run: async ({ task, print }, { name, seed }) => {
    const world = await task.worlds.createWorld({ name, ...(seed === undefined ? {} : { seed }) })
    print(`Created the world ${world.name} with the seed ${world.seed} (${world.generator}).\n`)
    return 0
  },
})

/** Deletes a world that no node runs: into the trash folder, or permanently. */
export const deleteCommand = defineWorldCommand({
  name: 'delete',
  usage: 'NAME [--now]',
  help: 'moves the world into the trash folder of the data folder; --now deletes it permanently',
  parse: (args) => {
    const read = readArguments(args, ['NAME'], { now: 'flag' })
    if (!read.ok) return read
    return { ok: true, value: { name: read.value.positionals[0] ?? '', now: read.value.flags.has('now') } }
  },
  run: async ({ task, print }, { name, now }) => {
    const { zones, accounts, trash } = await task.deleteWorld({ name, now })
    print(`Deleted the world ${name}${zones === 0 ? '' : ` and its ${plural(zones, 'zone')}`}.\n`)
    if (accounts > 0)
      print(`${plural(accounts, 'account')} had grants for it. They stay, and count for a new world with this name.\n`)
    if (task.isActive(name)) print('GAME_WORLD_NAME selects this name: the next start creates a new world with it.\n')
    if (trash !== undefined)
      print(
        `It is in ${trash}. To restore it: npm run world -- import ${trash} ${name}. To free its space, delete that folder.\n`,
      )
    return 0
  },
})

/** Renames a world that no node runs. */
export const renameCommand = defineWorldCommand({
  name: 'rename',
  usage: 'NAME NEW',
  help: 'renames the world, with its history, places, zones and grants',
  parse: (args) => {
    const read = readArguments(args, ['NAME', 'NEW'])
    if (!read.ok) return read
    const [from = '', to = ''] = read.value.positionals
    return { ok: true, value: { from, to } }
  },
  run: async ({ task, print }, { from, to }) => {
    const { zones, accounts } = await task.renameWorld({ from, to })
    print(`Renamed the world ${from} to ${to}, with ${plural(zones, 'zone')} and the grants of ${plural(accounts, 'account')}.\n`)
    if (task.isActive(from))
      print(`GAME_WORLD_NAME selects ${from}. Set it to ${to}, or the next start creates a new world with the old name.\n`)
    return 0
  },
})

const parseBox = (text: string): Parsed<ChunkBox> => {
  const numbers = text.split(',').map((part) => (/^-?\d{1,7}$/.test(part) ? Number(part) : Number.NaN))
  const [minCx = 0, minCz = 0, maxCx = 0, maxCz = 0] = numbers
  if (numbers.length !== 4 || !isChunkPos({ cx: minCx, cz: minCz }) || !isChunkPos({ cx: maxCx, cz: maxCz }))
    return {
      ok: false,
      reason: `--box must be minCx,minCz,maxCx,maxCz: four whole numbers of columns in ${chunkMin}…${chunkMax}.`,
    }
  if (minCx > maxCx || minCz > maxCz) return { ok: false, reason: '--box must have its smaller numbers first.' }
  return { ok: true, value: { minCx, minCz, maxCx, maxCz } }
}

const parseScale = (text: string): Parsed<number> => {
  const scale = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (scale < 1 || scale > scaleMax)
    return { ok: false, reason: `--scale must be a whole number of blocks per pixel in 1…${scaleMax}.` }
  return { ok: true, value: scale }
}

const nothingThere = (name: string) =>
  new AppError('invalid', 'bad-request', `No column of ${name} is generated there, so there is nothing to draw.`)

/** Draws a world from above, lit from the north; a node may run it. */
export const map = defineWorldCommand({
  name: 'map',
  usage: 'NAME FILE.png [--box minCx,minCz,maxCx,maxCz] [--scale BLOCKS]',
  help: 'draws the generated columns from above; BLOCKS is the number of blocks per pixel',
  parse: (args) => {
    const read = readArguments(args, ['NAME', 'FILE.png'], { box: 'value', scale: 'value' })
    if (!read.ok) return read
    const { positionals, values } = read.value
    const [name = '', path = ''] = positionals
    const box = values.box === undefined ? undefined : parseBox(values.box)
    if (box?.ok === false) return box
    const scale = parseScale(values.scale ?? '1')
    if (!scale.ok) return scale
    return { ok: true, value: { name, path, box: box?.value, scale: scale.value } }
  },
  run: async (context, { name, path, box, scale }) => {
    const world = await context.task.worlds.getWorld(name)
    const bounds = box ?? (await findBounds(context.task.chunks, world))
    if (bounds === undefined) throw nothingThere(name)
    const frame = createMapFrame(bounds, scale)
    if (box !== undefined && (await findBounds(context.task.chunks, world, box)) === undefined) throw nothingThere(name)
    const { columns, damaged } = await drawMap(context, world, { frame, path })
    context.print(`Drew ${plural(columns, 'column')} of ${name} on ${countOf(frame.width)} × ${countOf(frame.height)} pixels.\n`)
    if (damaged.length > 0)
      context.complain(`Left out ${plural(damaged.length, 'damaged column')}. For details: npm run world -- check ${name}\n`)
    return 0
  },
})
