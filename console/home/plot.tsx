import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { theme } from '../state/theme.ts'
import { words } from '../words.ts'

export type Series = { readonly label: string; readonly values: readonly (number | null)[] }

type Props = {
  readonly title: string
  /** The values of the chart as a sentence, for screen readers. */
  readonly summary: string
  /** Seconds since the epoch, ascending. */
  readonly times: readonly number[]
  readonly series: readonly Series[]
  /** The shown period, in seconds since the epoch. */
  readonly period: readonly [from: number, to: number]
  readonly format: (value: number) => string
  /** The scale reaches at least this far. */
  readonly atLeast: number
  /** The distances between marks that the axis of values can have. By default multiples of ten. */
  readonly increments?: readonly number[]
  /** Drawn as a dashed line. */
  readonly limit?: number
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const heightPx = 190
const dashes: readonly (readonly number[])[] = [[], [6, 3], [2, 3], [8, 3, 2, 3]]

/** The colours of the theme as the browser has computed them: a canvas does not read custom properties. */
const readColours = (element: Element) => {
  const { color, borderTopColor, outlineColor, caretColor } = getComputedStyle(element)
  return { line: color, grid: borderTopColor, text: outlineColor, limit: caretColor }
}

/** The values without a neighbour, such as the only one before a restart. No line reaches them, so each is drawn as a point. */
const findAlone = (plot: uPlot, series: number): number[] => {
  const values = [...(plot.data[series] ?? [])]
  const isGap = (at: number): boolean => typeof values[at] !== 'number'
  return values.flatMap((_value, at) => (!isGap(at) && isGap(at - 1) && isGap(at + 1) ? [at] : []))
}

/** A part of the period that is shown alone, in seconds since the epoch. */
type Zoom = readonly [from: number, to: number]
/** A shorter drag is a click. */
const dragMinPx = 5

const createOptions = (
  { title, series, format, atLeast, increments, limit }: Props,
  element: Element,
  shown: () => Zoom,
  zoomTo: (zoom: Zoom | undefined) => void,
): uPlot.Options => {
  const colours = readColours(element)
  const font = '12px system-ui, sans-serif'
  const axis = {
    stroke: colours.text,
    font,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { stroke: colours.grid, width: 1, size: 4 },
  }
  return {
    width: element.clientWidth,
    height: heightPx,
    title,
    cursor: {
      y: false,
      drag: { x: true, y: false, dist: dragMinPx, setScale: false },
      bind: {
        dblclick: () => () => {
          zoomTo(undefined)
          return null
        },
      },
    },
    legend: { live: true },
    scales: {
      x: { time: true, range: () => [...shown()] },
      y: { range: (_plot, _min, max) => [0, Math.max(atLeast, (max ?? 0) * 1.1)] },
    },
    axes: [
      { ...axis, space: 80, values: (_plot, marks) => marks.map((mark) => clock.format(mark * 1000)) },
      {
        ...axis,
        size: 64,
        space: 36,
        values: (_plot, marks) => marks.map((mark) => format(mark)),
        ...(increments !== undefined && { incrs: [...increments] }),
      },
    ],
    series: [
      { label: words.home.time, value: (_plot, at) => (at === null ? '' : clock.format(at * 1000)) },
      ...series.map(({ label }, index) => ({
        label,
        stroke: colours.line,
        width: 2,
        dash: [...(dashes[index % dashes.length] ?? [])],
        points: { show: true, size: 5, fill: colours.line, filter: findAlone },
        value: (_plot: uPlot, value: number | null) => (value === null ? '–' : format(value)),
      })),
    ],
    hooks: {
      setSelect: [
        (plot) => {
          const { left, width } = plot.select
          if (width < dragMinPx) return
          zoomTo([plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')])
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
        },
      ],
      draw: [
        (plot) => {
          if (limit === undefined) return
          const { ctx, bbox } = plot
          const y = Math.round(plot.valToPos(limit, 'y', true))
          if (y < bbox.top) return
          ctx.save()
          ctx.strokeStyle = colours.limit
          ctx.setLineDash([6, 4])
          ctx.lineWidth = devicePixelRatio
          ctx.beginPath()
          ctx.moveTo(bbox.left, y)
          ctx.lineTo(bbox.left + bbox.width, y)
          ctx.stroke()
          ctx.restore()
        },
      ],
    },
  }
}

/** A chart over time with axes, units, and the values under the pointer. */
export const Plot = (props: Props) => {
  const { title, summary, times, series, period } = props
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | undefined>(undefined)
  const [zoom, setZoom] = useState<Zoom>()
  const latest = useRef(props)
  latest.current = props
  const shown = useRef<Zoom>(period)
  shown.current = zoom ?? period
  const labels = series.map(({ label }) => label).join('\n')
  const data = (): uPlot.AlignedData => [[...times], ...series.map(({ values }) => [...values])]
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const draw = () => {
      plot.current?.destroy()
      plot.current = new uPlot(
        createOptions(latest.current, element, () => shown.current, setZoom),
        data(),
        element,
      )
    }
    draw()
    setZoom(undefined)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const observer = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: heightPx }))
    observer.observe(element)
    scheme.addEventListener('change', draw)
    return () => {
      observer.disconnect()
      scheme.removeEventListener('change', draw)
      plot.current?.destroy()
      plot.current = undefined
    }
  }, [labels, theme.value, period[1] - period[0], title])
  // The scale of time moves on with the data, unless a part is shown alone.
  useEffect(() => {
    const current = plot.current
    if (current === undefined) return
    current.setData(data(), false)
    current.redraw()
    current.batch(() => {
      const [min, max] = shown.current
      current.setScale('x', { min, max })
    })
    // Without a pointer on the chart, the legend has the last values.
    if (typeof current.cursor.idx !== 'number') current.setLegend({ idx: times.length - 1 })
  }, [times, series, zoom])
  return (
    <figure class="chart">
      <div ref={box} class="plot" role="img" aria-label={`${title}: ${summary}`} />
      {zoom !== undefined && (
        <button type="button" class="quiet-button" onClick={() => setZoom(undefined)}>
          {words.home.wholePeriod}
        </button>
      )}
    </figure>
  )
}
