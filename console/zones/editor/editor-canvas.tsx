import { useEffect, useRef } from 'preact/hooks'
import { createEditorGestures, type Press } from './building/editor-gestures.ts'
import { pressEditorKey } from './building/editor-keys.ts'
import type { EditorModel } from './building/editor-model.ts'
import type { Hands } from './building/hands.ts'
import type { Editor } from './building/open-editor.ts'
import { zoom } from './scene/camera.ts'
import { words } from './words.ts'

type Props = {
  readonly model: EditorModel
  /** Opens the editor on the canvas once it is on the page. */
  readonly open: (canvas: HTMLCanvasElement) => Editor | undefined
  readonly hands: (editor: Editor) => Hands
}

/** The zone in 3D. All that the pointer does on it is done by keys too. */
export const EditorCanvas = ({ model, open, hands }: Props) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const surface = useRef<HTMLDivElement>(null)
  const latest = useRef(hands)
  latest.current = hands
  useEffect(() => {
    const [below, top] = [canvas.current, surface.current]
    if (below === null || top === null) return undefined
    const editor = open(below)
    if (editor === undefined) return undefined
    const own = (): Hands => latest.current(editor)
    const pointOf = (event: MouseEvent) => {
      const box = top.getBoundingClientRect()
      return { left: event.clientX - box.left, top: event.clientY - box.top }
    }
    const gestures = createEditorGestures(model, {
      click: (at, press) => own().click(editor.findTarget(at.left, at.top), press),
      hover: (at) => {
        model.pointed.value = editor.findTarget(at.left, at.top)
      },
    })
    const over = new AbortController()
    const on = <K extends keyof HTMLElementEventMap>(name: K, act: (event: HTMLElementEventMap[K]) => void): void =>
      top.addEventListener(name, act, { signal: over.signal, passive: false })
    on('pointerdown', (event) => {
      top.setPointerCapture(event.pointerId)
      const press: Press = event.button === 0 && !event.shiftKey ? 'main' : 'other'
      gestures.down(event.pointerId, pointOf(event), press)
    })
    on('pointermove', (event) => gestures.move(event.pointerId, pointOf(event)))
    on('pointerup', (event) => gestures.up(event.pointerId))
    on('pointercancel', (event) => gestures.cancel(event.pointerId))
    on('pointerleave', () => {
      model.pointed.value = undefined
    })
    on('contextmenu', (event) => event.preventDefault())
    on('wheel', (event) => {
      event.preventDefault()
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * 30
      model.camera.value = zoom(model.camera.peek(), 2 ** (lines / 400))
    })
    on('keydown', (event) => {
      if (pressEditorKey(model, event, own().keys)) event.preventDefault()
    })
    const resize = (): void => {
      const { width, height } = top.getBoundingClientRect()
      model.size.value = { width, height }
      editor.resize()
    }
    const observer = new ResizeObserver(resize)
    observer.observe(top)
    resize()
    return () => {
      over.abort()
      observer.disconnect()
      editor.close()
    }
  }, [model])
  return (
    <div class="map-frame editor-frame">
      <canvas ref={canvas} />
      <div
        ref={surface}
        class="map-top"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move the cursor.
        tabIndex={0}
        role="application"
        aria-label={words.editor.canvas}
      />
    </div>
  )
}
