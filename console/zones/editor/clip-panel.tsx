import type { EditorModel } from './building/editor-model.ts'
import { type Axis, axes, rangeOf } from './scene/clip-planes.ts'
import { words } from './words.ts'

const Plane = ({ model, axis }: { readonly model: EditorModel; readonly axis: Axis }) => {
  const plane = model.planes.value[axis]
  const { min, max } = rangeOf(model.span.value, axis)
  const set = (change: Partial<typeof plane>): void => {
    model.planes.value = { ...model.planes.peek(), [axis]: { ...model.planes.peek()[axis], ...change } }
  }
  const enable = (enabled: boolean): void => {
    const isElsewhere = plane.pos < min || plane.pos > max || (plane.pos === min && !plane.flipped)
    set({ enabled, ...(enabled && isElsewhere && { pos: Math.ceil((min + max) / 2) }) })
  }
  return (
    <div class="plane">
      <label>
        <input type="checkbox" checked={plane.enabled} onChange={({ currentTarget }) => enable(currentTarget.checked)} />
        {words.editor.planes[axis]}
      </label>
      {plane.enabled && (
        <>
          <input
            type="range"
            aria-label={words.editor.planeAt(axis)}
            min={min}
            max={max}
            value={plane.pos}
            onInput={({ currentTarget }) => set({ pos: currentTarget.valueAsNumber })}
          />
          <input
            type="number"
            aria-label={words.editor.planeNumber(axis)}
            value={plane.pos}
            onChange={({ currentTarget }) => {
              if (Number.isFinite(currentTarget.valueAsNumber)) set({ pos: currentTarget.valueAsNumber })
            }}
          />
          <label>
            <input
              type="checkbox"
              checked={plane.flipped}
              onChange={({ currentTarget }) => set({ flipped: currentTarget.checked })}
            />
            {words.editor.flipped}
          </label>
        </>
      )}
    </div>
  )
}

/** The planes of the cross-section; the game is not affected. */
export const ClipPanel = ({ model }: { readonly model: EditorModel }) => (
  <section>
    <h2>{words.editor.cutOpen}</h2>
    <p class="quiet">{words.editor.cutLead}</p>
    {axes.map((axis) => (
      <Plane key={axis} model={model} axis={axis} />
    ))}
  </section>
)
