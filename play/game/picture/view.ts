import type { ReadonlySignal } from '@preact/signals'
import type { Session } from '../../../sdk/client.ts'
import type { Stage } from '../../render/stage.ts'
import type { Settings } from '../../state/settings.ts'
import { createAdapting } from './quality.ts'

/** The view distance and resolution: what the player wants, within the machine's limits. */
export type View = {
  /** In columns. */
  radius(): number
  scale(): number
  /** Call with the frame time, the wanted frame rate (0: no limit), and the current settings. */
  note(frameMs: number, nowMs: number, framesMax: number): void
  /** Call after a new connection. */
  begin(): void
  close(): void
}

export type ViewOptions = {
  readonly canvas: HTMLCanvasElement
  readonly stage: Stage
  readonly session: Pick<Session, 'send' | 'welcome'>
  readonly settings: ReadonlySignal<Settings>
}

const scaleMax = 2
/** The target frame rate of the adaptation. */
const adaptedFrames = 30

export const createView = ({ canvas, stage, session, settings }: ViewOptions): View => {
  /** Reducing the view distance saves nothing for columns that the server does not send. */
  const radiusWished = (): number =>
    Math.min(settings.value.viewRadius, session.welcome().viewRadiusMax ?? settings.value.viewRadius)
  const wish = () => ({ scale: Math.min(devicePixelRatio, scaleMax), viewRadius: radiusWished() })
  const adapting = createAdapting(wish(), () => settings.value.adapt && document.visibilityState === 'visible')
  let told = 0
  const settingsOf = () => `${devicePixelRatio} ${radiusWished()} ${settings.value.adapt}`
  let wished = settingsOf()
  const tell = (): void => {
    const { viewRadius } = adapting.current()
    if (viewRadius !== told && session.send({ $case: 'viewRadius', value: { chunks: viewRadius } })) told = viewRadius
  }
  const fitCanvas = (): void => stage.resize(adapting.current().scale)
  const watchSize = new ResizeObserver(fitCanvas)
  watchSize.observe(canvas)
  fitCanvas()
  return {
    radius: () => {
      const { viewRadius, viewRadiusMax = viewRadius } = session.welcome()
      return Math.min(adapting.current().viewRadius, viewRadiusMax)
    },
    scale: () => adapting.current().scale,
    note: (frameMs, nowMs, framesMax) => {
      const now = settingsOf()
      const isOther = now !== wished
      wished = now
      if (isOther) adapting.wish(wish())
      // A low frame rate limit does not mean a slow machine.
      const isTelling = framesMax === 0 || framesMax >= adaptedFrames
      if (!isTelling) adapting.rest()
      if (!isOther && (!isTelling || adapting.note(frameMs, nowMs, framesMax === 0 ? 0 : 1000 / framesMax) === undefined)) return
      fitCanvas()
      tell()
    },
    begin: () => {
      told = 0
      tell()
    },
    close: () => watchSize.disconnect(),
  }
}
