import { words } from '../words.ts'
import { zoomBy } from './drawing/map-keys.ts'
import type { MapModel, Tool } from './scene/map-model.ts'

const toolsOf = (model: MapModel, tab: string): readonly Tool[] => {
  if (tab === 'history') return ['move', 'box']
  return model.draft.value === undefined ? [] : ['move', 'paint', 'rectangle', 'erase']
}

/** The pointer tools, the zoom and the slice height. */
export const MapTools = ({ model, tab }: { readonly model: MapModel; readonly tab: string }) => {
  const tools = toolsOf(model, tab)
  return (
    <div class="map-tools">
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
        <button type="button" aria-label={words.map.zoomIn} onClick={() => zoomBy(model, 1)}>
          +
        </button>
        <button type="button" aria-label={words.map.zoomOut} onClick={() => zoomBy(model, -1)}>
          −
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
