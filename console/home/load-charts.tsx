import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { Loading } from '../parts/loading.tsx'
import { call } from '../state/api.ts'
import { useEvery, useLoad } from '../state/load.ts'
import { words } from '../words.ts'
import { ChartRooms } from './chart-rooms.tsx'
import { Plot, type Series } from './plot.tsx'

type Metrics = Answer<'GET /api/admin/metrics'>['body']
type Step = Metrics['nodes'][number]['steps'][number]

/** The periods to choose, in seconds. Up to ten minutes the server has steps of five seconds. */
const periods = { minutes: 600, hour: 3600, sixHours: 21_600, day: 86_400 } as const
type Period = keyof typeof periods

const names = ['minutes', 'hour', 'sixHours', 'day'] as const
/** The time budget of a tick. */
const tickMs = 50
const refreshMs = { minutes: 5000, day: 60_000 } as const

type Line = { readonly times: readonly number[]; readonly steps: ReadonlyMap<string, ReadonlyMap<number, Step>> }

/** The steps of all nodes on one scale of time. A node without a step at a time has a gap there. */
const align = ({ nodes, stepSeconds }: Metrics, fromSeconds: number): Line => {
  const times = new Set<number>()
  const steps = new Map<string, ReadonlyMap<number, Step>>()
  for (const { node, steps: all } of nodes) {
    const byTime = new Map<number, Step>()
    for (const step of all) {
      const at = Math.round(Date.parse(step.at) / 1000 / stepSeconds) * stepSeconds
      if (at < fromSeconds) continue
      byTime.set(at, step)
      times.add(at)
    }
    steps.set(node, byTime)
  }
  return { times: [...times].sort((one, other) => one - other), steps }
}

const toSeries = ({ times, steps }: Line, label: string, pick: (step: Step) => number): readonly Series[] =>
  [...steps].map(([node, byTime], index) => ({
    label: steps.size === 1 ? label : `${label} ${words.home.nodeNumber(index + 1, node)}`,
    values: times.map((at) => {
      const step = byTime.get(at)
      return step === undefined ? null : pick(step)
    }),
  }))

const ofMs = (value: number): string => words.home.milliseconds(value)
const whole = (value: number): string => (Number.isInteger(value) ? String(value) : '')
const ofMemory = (value: number): string => words.home.mebibytes(Math.round(value / 2 ** 20))
/** Distances between marks of memory: powers of two, so that each mark is a round number of MiB. */
const memorySteps = Array.from({ length: 20 }, (_, power) => 2 ** (20 + power))
const ofCpu = (value: number): string => words.home.percent(Math.round(value * 100))

const Charts = ({ metrics, period }: { readonly metrics: Metrics; readonly period: Period }) => {
  const now = Date.now() / 1000
  const shown = [now - periods[period], now] as const
  const line = align(metrics, shown[0])
  const charts = [
    {
      title: words.home.ticks,
      label: words.home.p99,
      pick: ({ tick }: Step) => tick.p99Ms,
      format: ofMs,
      atLeast: tickMs * 1.2,
      limit: tickMs,
    },
    { title: words.home.sessions, label: words.home.sessions, pick: ({ sessions }: Step) => sessions, format: whole, atLeast: 4 },
    { title: words.home.cpu, label: words.home.cpu, pick: ({ cpu }: Step) => cpu, format: ofCpu, atLeast: 1 },
    {
      title: words.home.memory,
      label: words.home.memory,
      pick: ({ memoryBytes }: Step) => memoryBytes,
      format: ofMemory,
      atLeast: 64 * 2 ** 20,
      increments: memorySteps,
    },
  ]
  return (
    <div class="charts">
      {charts.map(({ title, label, pick, ...look }) => {
        const series = toSeries(line, label, pick)
        const values = series.flatMap((one) => one.values.filter((value): value is number => value !== null))
        const last = values.at(-1) ?? 0
        return (
          <Plot
            key={title}
            title={title}
            summary={words.home.nowAndPeak(look.format(last), look.format(Math.max(0, ...values)))}
            times={line.times}
            series={series}
            period={shown}
            {...look}
          />
        )
      })}
    </div>
  )
}

/** Charts of all nodes over ten minutes to a day. */
export const LoadCharts = () => {
  const [period, setPeriod] = useState<Period>('minutes')
  const span = period === 'minutes' ? 'minutes' : 'day'
  const metrics = useLoad(async (signal) => (await call('GET /api/admin/metrics', { query: { span }, signal })).body, [span])
  useEvery(refreshMs[span], metrics.refresh)
  return (
    <section class="card">
      <header class="card-head">
        <h2>{words.home.load}</h2>
        {/* biome-ignore lint/a11y/useSemanticElements: the buttons are not a part of a form. */}
        <div class="segments" role="group" aria-label={words.home.period}>
          {names.map((name) => (
            <button key={name} type="button" aria-pressed={name === period} onClick={() => setPeriod(name)}>
              {words.home.periods[name]}
            </button>
          ))}
        </div>
      </header>
      <Loading of={metrics} waiting={<ChartRooms />}>
        {(all) =>
          all.nodes.every(({ steps }) => steps.length === 0) ? (
            <p class="quiet">{span === 'day' ? words.home.noDay : words.home.noFigures}</p>
          ) : (
            <Charts metrics={all} period={period} />
          )
        }
      </Loading>
    </section>
  )
}
