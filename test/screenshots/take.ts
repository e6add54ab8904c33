import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { takeConsole } from './take-console.ts'
import { takePlay } from './take-play.ts'

const takes = { console: takeConsole, play: takePlay } as const

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string', default: '.build/screenshots' } },
})
const folder = resolve(values.out)
await mkdir(folder, { recursive: true })

// `npm run screenshots` takes pictures of all pages for a review by eye; `npm run screenshots -- console` takes those of one.
for (const [name, take] of Object.entries(takes)) if (positionals.length === 0 || positionals.includes(name)) await take(folder)
