import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { RefusedError } from '../../../sdk/errors.ts'
import { type Bots, startBots } from '../../../sdk/testing/bots.ts'
import { ask } from '../../../test/e2e/support/api.ts'
import { createBuilder } from '../../../test/e2e/support/builder.ts'
import { faultyModules } from '../../../test/support/modules/faulty-modules.ts'
import { waitFor } from '../../../test/support/time/wait-for.ts'
import { type Campaign, isAskedFor, type Plan, type Report } from '../campaign.ts'
import { campaignConfig, type House, untilReady } from '../house/house.ts'
import { quantileBetween, readMetrics, riseOf } from '../house/metrics.ts'
import { createRandom } from '../random.ts'

const measureMs = 15_000
const restMs = 5_000
const chatEveryMs = 5_000
/** Every bot chats and builds while a module runs. */
const runMs = 12_000
const offMsMax = 60_000
const backMsMax = 120_000
const tick = 'gatehouse_realtime_tick_seconds'
const types = ['stone', 'dirt', 'planks', 'glass', 'air'] as const

/** Allowed difference of the 99th percentile of ticks: its histogram is coarse. */
const p99Part = 1.5
const p99MsMore = 5

const sharedFile = fileURLToPath(new URL('../../../test/support/modules/faulty-modules.ts', import.meta.url))
const fromShared = (name: string): string =>
  `import { faultyModules } from ${JSON.stringify(sharedFile)}\nexport default faultyModules.find(({ name }) => name === '${name}')\n`

const textOf = (name: string, body: string): string =>
  `import { Type } from '@sinclair/typebox'\nimport { defineModule } from 'gatehouse/module'\nexport default defineModule({ name: '${name}', api: 1, ${body} })\n`

const data = 'schema: Type.Object({ visits: Type.Integer({ default: 0 }) })'

type Faulty = {
  readonly name: string
  /** The texts of its file, loaded one after the other. */
  readonly versions: readonly string[]
  /** The server turns it off. An admin turns off the others. */
  readonly isSwitchedOff: boolean
}

/** Modules with the faults of the suite, and with faults that need a process or stored data. */
const faulty: readonly Faulty[] = [
  ...faultyModules.map(({ name }) => ({
    name,
    versions: [fromShared(name)],
    isSwitchedOff: ['loops-in-tick', 'loops-in-timer', 'loops-in-decide', 'throws-in-tick'].includes(name),
  })),
  {
    name: 'allocates',
    versions: [textOf('allocates', 'on: { tick: () => { const held = []; for (;;) held.push({ text: String(held.length) }) } }')],
    isSwitchedOff: true,
  },
  {
    name: 'fails-in-migrate',
    versions: [
      textOf(
        'fails-in-migrate',
        `declare: { player: { ${data} } }, on: { tick: (_event, game) => { for (const player of game.players.all()) player.data.visits += 1 } }`,
      ),
      textOf(
        'fails-in-migrate',
        `declare: { player: { ${data}, version: 2, migrate: [() => { throw new Error('broken on purpose') }] } }`,
      ),
    ],
    isSwitchedOff: false,
  },
]

/** No timeout ends a loop after an `await`. The watch thread ends the process after ten seconds. */
const endless = textOf(
  'loops-after-await',
  'on: { start: (_event, game) => game.later(async () => { await null; for (;;); }, () => undefined) }',
)

/** A module without a fault: it decides about edits and chat, counts in the data of players, and has a command. */
const sound = (version: number): string =>
  textOf(
    'sound',
    `version: '${version}', declare: { player: { ${data} } },
  decide: { edit: () => undefined, chat: () => undefined },
  on: { said: ({ player }) => { player.data.visits += 1 }, tick: () => undefined },
  commands: { visits: { description: 'Counts.', forms: [[]], permission: 'none', run: (caller) => String(caller?.data.visits) } }`,
  )

const reloads = 20
const reloadEveryMs = 500
/** A tick of 50 ms that a reload made late. */
const reloadMsMax = 300

const openModules = (house: House) => {
  const folder = join(house.dataDir, 'modules')
  const pathOf = (name: string): string => join(folder, `${name}.ts`)
  const post = async (name: string, action: string) =>
    ask(house.url(), `POST /api/admin/modules/${name}/${action}`, { token: await house.bossToken() })
  /** As the node reports it. */
  const read = async (name: string): Promise<{ readonly state: string; readonly faults: number }> => {
    const answer = await ask(house.url(), 'GET /api/admin/modules', { token: await house.bossToken() })
    const modules: unknown = answer.body.modules
    const found = Array.isArray(modules) ? modules.find((module) => module.name === name) : undefined
    return { state: String(found?.state), faults: Number(found?.faults) }
  }
  return {
    write: async (name: string, text: string): Promise<void> => {
      await mkdir(folder, { recursive: true })
      await writeFile(pathOf(name), text)
    },
    remove: (name: string): Promise<void> => rm(pathOf(name), { force: true }),
    post,
    read,
  }
}

/** Changes blocks, and knows which value each of them can have: the last acknowledged one, and an unanswered one. */
const startBuilding = async (house: House, plan: Plan) => {
  const enter = async () =>
    createBuilder(await house.stage.enter(house.url(), await house.stage.signIn(house.url(), 'builder@example.com')))
  const builder = await enter()
  const possible = new Map<(typeof builder.places)[number], Set<string>>()
  const random = createRandom(plan.seed, 'modules', house.store)
  const counts = { acknowledged: 0, refused: 0 }
  await builder.look(builder.places)
  let isOver = false
  const build = async (): Promise<void> => {
    while (!isOver) {
      await pause(100)
      if (!builder.isOpen()) continue
      const place = random.pick(builder.places)
      const type = random.pick(types)
      const values = possible.get(place) ?? new Set(['air'])
      const before = new Set(values)
      possible.set(place, values.add(type))
      const answer = await builder.edit([{ ...place, type }])
      if (answer === undefined) continue
      if (answer.ok) counts.acknowledged += 1
      else counts.refused += 1
      possible.set(place, answer.ok ? new Set([type]) : before)
    }
  }
  const built = build()
  return {
    counts,
    stop: async (): Promise<void> => {
      isOver = true
      await built
    },
    /** Places with a value that they cannot have, as a new session sees them. */
    findLost: async (): Promise<readonly object[]> => {
      builder.session.drop()
      await builder.session.close()
      const reader = await enter()
      const places = [...possible.keys()]
      const found = await reader.look(places)
      reader.session.drop()
      return places.flatMap((place, at) => {
        const [is = 'air', values] = [found[at], [...(possible.get(place) ?? [])]]
        return values.includes(is) ? [] : [{ ...place, is, values }]
      })
    },
  }
}

const measureTicks = async (house: House, forMs = measureMs) => {
  const read = async () => {
    const all = await Promise.all(house.processes().map(({ metricsPort }) => readMetrics(metricsPort, 30_000)))
    return all.find((metrics) => metrics?.has(`${tick}_count`) === true) ?? new Map<string, number>()
  }
  const before = await read()
  const startedMs = performance.now()
  await pause(forMs)
  const after = await read()
  const seconds = (performance.now() - startedMs) / 1000
  return {
    tickP99Ms: quantileBetween(tick, 0.99, before, after) * 1000,
    tickMaxMs: Math.round(quantileBetween(tick, 1, before, after) * 1000),
    tickMeanMs: Math.round((riseOf(`${tick}_sum`, before, after) / riseOf(`${tick}_count`, before, after)) * 100_000) / 100,
    tickHertz: Math.round((riseOf(`${tick}_count`, before, after) / seconds) * 10) / 10,
  }
}

const commandEveryMs = 50
const commandMsMax = 10_000

/** One bot after another enters the command of the module “sound”. Each command gets an answer, and the command always exists. */
const startCommands = ({ bots }: Bots) => {
  const counts = { done: 0, refused: 0, unknown: 0, unanswered: 0 }
  const tookMs: number[] = []
  const running = new Set<Promise<void>>()
  const enter = async ({ session }: Bots['bots'][number]): Promise<void> => {
    const startedMs = performance.now()
    const answer = await session
      .command('/sound:visits', { signal: AbortSignal.timeout(commandMsMax) })
      .catch((error: unknown) => (error instanceof RefusedError ? error.message : undefined))
    tookMs.push(performance.now() - startedMs)
    if (answer === undefined) counts.unanswered += 1
    else if (typeof answer !== 'string') counts.done += 1
    else if (answer.includes('no command')) counts.unknown += 1
    else counts.refused += 1
  }
  let next = 0
  const timer = setInterval(() => {
    const bot = bots[next % bots.length]
    next += 1
    if (bot === undefined) return
    const entered = enter(bot).finally(() => running.delete(entered))
    running.add(entered)
  }, commandEveryMs)
  return {
    stop: async () => {
      clearInterval(timer)
      await Promise.all(running)
      const sorted = tookMs.toSorted((one, other) => one - other)
      return { ...counts, p99Ms: Math.round(sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0) }
    },
  }
}

/** Reloads a module while the bots play and use its command: no one is disconnected, and each answer comes in time. */
const reloadInPlay = async (
  house: House,
  modules: ReturnType<typeof openModules>,
  { crowd, losses }: { readonly crowd: Bots; readonly losses: { readonly count: number } },
) => {
  const before = losses.count
  await modules.write('sound', sound(0))
  const enabled = await modules.post('sound', 'enable')
  const answersMs: number[] = []
  const failed: unknown[] = enabled.status === 200 ? [] : [enabled.body]
  const meter = measureTicks(house, reloads * reloadEveryMs)
  const typing = startCommands(crowd)
  for (let version = 1; version <= reloads; version += 1) {
    await modules.write('sound', sound(version))
    const startedMs = performance.now()
    const answer = await modules.post('sound', 'reload')
    answersMs.push(Math.round(performance.now() - startedMs))
    if (answer.status !== 200 || answer.body.version !== String(version)) failed.push(answer.body)
    await pause(reloadEveryMs)
  }
  const ticks = await meter
  const commands = await typing.stop()
  await modules.post('sound', 'disable')
  await modules.remove('sound')
  const medianMs = answersMs.toSorted((one, other) => one - other)[Math.floor(answersMs.length / 2)]
  return { reloads, failed, lost: losses.count - before, medianMs, longestMs: Math.max(...answersMs), commands, ...ticks }
}

const runModules = async (house: House, plan: Plan, report: Report) => {
  await house.start()
  const modules = openModules(house)
  const building = await startBuilding(house, plan)
  const random = createRandom(plan.seed, 'modules', 'bots')
  const crowd = await startBots({
    url: house.url(),
    count: plan.amount,
    chatEveryMs,
    buildEveryMs: chatEveryMs,
    WebSocket,
    random: random.next,
  })
  const losses = { count: 0 }
  for (const { session } of crowd.bots)
    session.on('state', ({ name }) => {
      if (name !== 'live') losses.count += 1
    })
  const countLines = (): number => crowd.bots.reduce((sum, { counts }) => sum + counts.lines, 0)
  const areIn = (): boolean => crowd.bots.every(({ session }) => session.state().name === 'live')

  await pause(restMs)
  const before = await measureTicks(house)
  report.note(`${house.store}: ${plan.amount} bots without modules: ${JSON.stringify(before)}`)

  const reloaded = isAskedFor('reload', plan) ? await reloadInPlay(house, modules, { crowd, losses }) : undefined
  if (reloaded !== undefined) {
    report.note(`${house.store}: ${plan.amount} bots, reloads: ${JSON.stringify(reloaded)}`)
    if (reloaded.failed.length > 0 || reloaded.lost > 0)
      report.finding({ what: 'a reload disconnects no player and runs the new version', index: 0, detail: reloaded })
    if (reloaded.commands.unknown + reloaded.commands.unanswered > 0)
      report.finding({ what: 'a command of a module works during its reload', index: 0, detail: reloaded })
    if (reloaded.tickMaxMs > reloadMsMax)
      report.finding({ what: 'no tick is late beyond the limit of a reload', index: 0, detail: reloaded, isMeasured: true })
  }

  const outcomes: Record<string, object> = {}
  const chosen = faulty.filter(({ name }) => isAskedFor(name, plan))
  for (const [index, { name, versions, isSwitchedOff }] of chosen.entries()) {
    const lossesBefore = losses.count
    const linesBefore = countLines()
    for (const [at, text] of versions.entries()) {
      await modules.write(name, text)
      const answer = await modules.post(name, at === 0 ? 'enable' : 'reload')
      if (answer.status >= 300)
        report.finding({ what: 'a faulty module loads', index, detail: { name, status: answer.status, text: answer.text } })
      await pause(runMs)
    }
    if (isSwitchedOff) {
      const isOff = await waitFor(async () => (await modules.read(name)).state === 'off', offMsMax, 500).then(
        () => true,
        () => false,
      )
      if (!isOff) report.finding({ what: 'the server turns the module off', index, detail: { name } })
    }
    const reported = await modules.read(name)
    await modules.post(name, 'disable')
    const lost = losses.count - lossesBefore
    if (lost > 0) report.finding({ what: 'no player is disconnected', index, detail: { name, lost } })
    const lines = countLines() - linesBefore
    if (lines === 0) report.finding({ what: 'bots chat while the module runs', index, detail: { name } })
    outcomes[name] = { ...reported, lines, lost }
    report.note(`${house.store}: ${name}: ${JSON.stringify(outcomes[name])}`)
    if (!house.isRunning()) report.finding({ what: 'no process ends', index, detail: { name } })
  }

  await pause(restMs)
  const after = await measureTicks(house)
  if (after.tickP99Ms > before.tickP99Ms * p99Part && after.tickP99Ms > before.tickP99Ms + p99MsMore)
    report.finding({
      what: 'ticks are as fast as without the modules',
      index: chosen.length,
      detail: { before, after },
      isMeasured: true,
    })
  const disconnected = losses.count

  /** The time until all bots are back, after the loop that ends the process. */
  let backMs: number | undefined
  const endlessName = 'loops-after-await'
  if (isAskedFor(endlessName, plan)) {
    await modules.write(endlessName, endless)
    // The request has no answer if the process ends before it.
    await modules.post(endlessName, 'enable').catch(() => undefined)
    await waitFor(() => !house.isRunning(), offMsMax, 100).catch(() =>
      report.finding({ what: 'an endless loop after an await ends the process', index: chosen.length, detail: {} }),
    )
    // An admin removes the module before the next start.
    await modules.remove(endlessName)
    for (const { name } of chosen) await modules.remove(name)
    const startedMs = performance.now()
    await house.start()
    await untilReady(house, backMsMax)
    await waitFor(areIn, backMsMax).then(
      () => {
        backMs = Math.round(performance.now() - startedMs)
      },
      () => report.finding({ what: 'all players resume after the restart', index: chosen.length, detail: {} }),
    )
  }
  await building.stop()
  const lost = await building.findLost()
  if (lost.length > 0) report.finding({ what: 'no acknowledged edit is lost', index: chosen.length, detail: { lost } })
  await crowd.stop()
  return { bots: plan.amount, reloaded, modules: outcomes, before, after, disconnected, backMs, edits: building.counts }
}

/** Loads modules with one fault each while bots play, and checks that players and their edits stay. */
export const modules: Campaign = {
  name: 'modules',
  unit: 'bots',
  amount: 200,
  serverConfig: `${campaignConfig}realtime: { viewRadius: 3 }\n`,
  run: runModules,
}
