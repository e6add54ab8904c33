import { effect } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { tell } from '../../parts/toasts.tsx'
import { columnsMax } from '../scene/columns.ts'
import type { MapModel } from '../scene/map-model.ts'
import type { Scene } from '../scene/open-scene.ts'
import { zoomAt } from '../scene/view.ts'
import { words } from '../words.ts'
import { drawGround } from './draw-ground.ts'
import { drawCross, drawPlayers } from './draw-players.ts'
import { createGestures } from './gestures.ts'
import { pressKey } from './map-keys.ts'
import type { ZoneName } from './place-names.ts'

type Props = {
  /** Shown over the map. */
  readonly children?: ComponentChildren
  readonly model: MapModel
  readonly scene: Scene
  /** Whether keys draw the open draft; otherwise they select. */
  readonly mayDraw: boolean
  readonly pick: (block: { readonly x: number; readonly z: number }) => void
}

/** Draws at most once per animation frame. */
const createPainter = (paint: () => void) => {
  let asked = 0
  return {
    ask: (): void => {
      asked ||= requestAnimationFrame(() => {
        asked = 0
        paint()
      })
    },
    stop: (): void => cancelAnimationFrame(asked),
  }
}

const contextOf = (canvas: HTMLCanvasElement): CanvasRenderingContext2D => {
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('This browser draws no pictures.')
  return context
}

type Layers = { readonly ground: HTMLCanvasElement; readonly above: HTMLCanvasElement; readonly top: HTMLElement }

/** Draws both canvases when something they show changes. */
const keepDrawn = ({ ground, above, top }: Layers, { model, scene }: Props) => {
  const { live } = scene
  const [groundContext, topContext] = [contextOf(ground), contextOf(above)]
  let names: readonly ZoneName[] = []
  const below = createPainter(() => {
    names = drawGround(groundContext, {
      model,
      tiles: scene.tiles(),
      zones: live.zones.peek(),
      faults: scene.faults(),
      ratio: devicePixelRatio,
    })
    upper.ask()
  })
  const upper = createPainter(() => {
    const pen = { context: topContext, view: model.view.peek(), size: model.size.peek() }
    const [players, chosen, spawn] = [live.players.peek(), model.player.peek(), model.spawn.peek()]
    drawPlayers(pen, { players, chosen, spawn, zoneNames: names }, devicePixelRatio)
    if (top.matches(':focus-visible')) drawCross(pen)
  })
  const resize = (): void => {
    const { width, height } = top.getBoundingClientRect()
    for (const canvas of [ground, above]) {
      canvas.width = Math.round(width * devicePixelRatio)
      canvas.height = Math.round(height * devicePixelRatio)
    }
    model.size.value = { width, height }
  }
  const observer = new ResizeObserver(resize)
  observer.observe(top)
  resize()
  const stops = [
    effect(() => {
      for (const one of [model.view, model.size, model.draft, model.pulled, model.box, model.zone, model.height, model.generated])
        void one.value
      void live.zones.value
      below.ask()
    }),
    effect(() => {
      void model.view.value
      void model.size.value
      void model.player.value
      void model.spawn.value
      void live.players.value
      upper.ask()
    }),
    scene.onPicture(below.ask),
  ]
  for (const name of ['focus', 'blur']) top.addEventListener(name, upper.ask)
  return () => {
    observer.disconnect()
    for (const stop of stops) stop()
    for (const name of ['focus', 'blur']) top.removeEventListener(name, upper.ask)
    below.stop()
    upper.stop()
  }
}

/** The map. Everything it does can be done in the list beside it too. */
export const MapCanvas = (props: Props) => {
  const ground = useRef<HTMLCanvasElement>(null)
  const above = useRef<HTMLCanvasElement>(null)
  const top = useRef<HTMLDivElement>(null)
  const { model, scene, children } = props
  const latest = useRef(props)
  latest.current = props
  useEffect(() => {
    const [below, players, surface] = [ground.current, above.current, top.current]
    if (below === null || players === null || surface === null) return undefined
    const pick: Props['pick'] = (block) => latest.current.pick(block)
    const gestures = createGestures(model, { pick, tooLarge: () => tell(words.map.draft.tooMany(columnsMax)) })
    const pointOf = (event: MouseEvent) => {
      const { left, top: edge } = surface.getBoundingClientRect()
      return { left: event.clientX - left, top: event.clientY - edge }
    }
    const over = new AbortController()
    const on = <K extends keyof HTMLElementEventMap>(name: K, act: (event: HTMLElementEventMap[K]) => void): void =>
      surface.addEventListener(name, act, { signal: over.signal, passive: false })
    on('pointerdown', (event) => {
      surface.setPointerCapture(event.pointerId)
      gestures.down(event.pointerId, pointOf(event), event.button !== 0)
    })
    on('pointermove', (event) => gestures.move(event.pointerId, pointOf(event)))
    on('pointerup', (event) => gestures.up(event.pointerId))
    on('pointercancel', (event) => gestures.cancel(event.pointerId))
    on('contextmenu', (event) => event.preventDefault())
    on('wheel', (event) => {
      event.preventDefault()
      const at = pointOf(event)
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * 30
      model.view.value = zoomAt(model.view.peek(), model.size.peek(), 2 ** (-lines / 250), at.left, at.top)
    })
    on('keydown', (event) => {
      const { mayDraw } = latest.current
      if (!event.ctrlKey && !event.metaKey && !event.altKey && pressKey(model, event.key, { pick, mayDraw }))
        event.preventDefault()
    })
    const stop = keepDrawn({ ground: below, above: players, top: surface }, latest.current)
    return () => {
      over.abort()
      stop()
    }
  }, [model, scene])
  const isPulled = model.tool.value === 'move'
  return (
    <div class="map-frame">
      <canvas ref={ground} />
      <canvas ref={above} />
      <div
        ref={top}
        class={isPulled ? 'map-top' : 'map-top drawing'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move the map.
        tabIndex={0}
        role="application"
        aria-label={words.map.canvas}
      />
      {children}
    </div>
  )
}
