import type { ComponentChildren } from 'preact'
import { zoomBy } from './drawing/map-keys.ts'
import type { MapModel, Tool } from './scene/map-model.ts'
import { zoomAt } from './scene/view.ts'
import { words } from './words.ts'

const toolsOf = (model: MapModel, tab: string): readonly Tool[] => {
  if (tab === 'history') return ['move', 'box']
  return model.draft.value === undefined ? [] : ['move', 'paint', 'rectangle', 'erase']
}

type Props = { readonly model: MapModel; readonly tab: string; readonly children?: ComponentChildren }

/** The pointer tools, the zoom and the slice height. */
export const MapTools = ({ model, tab, children }: Props) => {
  const tools = toolsOf(model, tab)
  return (
    <div class="map-tools">
      {children}
      {tools.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a row of buttons, not of fields.
        <div class="actions" role="group" aria-label={words.map.tools.title}>
          {tools.map((tool) => (
            <button
              key={tool}
              type="button"
              aria-pressed={model.tool.value === tool}
              onClick={() => {
                model.tool.value = tool
              }}
            >
              {words.map.tools[tool]}
            </button>
          ))}
        </div>
      )}
      <div class="actions">
        <button type="button" aria-label={words.map.zoomOut} onClick={() => zoomBy(model, -1)}>
          −
        </button>
        <input
          type="range"
          class="map-zoom"
          aria-label={words.map.zoom}
          min={-7}
          max={5}
          step={0.25}
          value={Math.log2(model.view.value.scale)}
          onInput={({ currentTarget }) => {
            const view = model.view.peek()
            model.view.value = zoomAt(view, model.size.peek(), 2 ** currentTarget.valueAsNumber / view.scale)
          }}
        />
        <button type="button" aria-label={words.map.zoomIn} onClick={() => zoomBy(model, 1)}>
          +
        </button>
        <label class="map-cut">
          <span>{words.map.cut}</span>
          <input
            type="number"
            min={0}
            max={255}
            title={words.map.cutHint}
            value={model.height.value ?? ''}
            onChange={({ currentTarget }) => {
              const height = currentTarget.valueAsNumber
              model.height.value = Number.isInteger(height) && height >= 0 && height <= 255 ? height : undefined
            }}
          />
        </label>
      </div>
    </div>
  )
}
