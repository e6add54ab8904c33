import { AppError } from '../../../shared/kernel/errors.ts'
import { type ChunkBox, chunkMax, chunkMin, isChunkPos } from '../../../shared/rules/positions.ts'
import { drawMap } from '../map/draw-map.ts'
import { createMapFrame, findBounds, scaleMax } from '../map/map-frame.ts'
import { readArguments } from '../read-arguments.ts'
import { countOf, plural } from '../words.ts'
import { defineWorldCommand, type Parsed } from '../world-command.ts'

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
