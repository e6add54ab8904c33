import { type Signal, useSignal } from '@preact/signals'
import { useKeyNames } from '../input/key-names.ts'
import { useEscape, useFocus } from '../input/window-keys.ts'
import { type Action, actions, daylights, defaultSettings, frameLimits, mayBeKey, type Settings } from '../state/settings.ts'
import { words } from '../words.ts'

type Slider = 'viewRadius' | 'sensitivity' | 'fieldOfView' | 'volume'
type Switch = 'invert' | 'stepUp' | 'adapt'

const sliders: readonly {
  readonly name: Slider
  readonly min: number
  readonly max: number
  readonly step: number
  readonly show: (value: number) => string
}[] = [
  { name: 'viewRadius', min: 2, max: 16, step: 1, show: words.settings.columns },
  { name: 'sensitivity', min: 0.1, max: 4, step: 0.1, show: (value) => value.toFixed(1) },
  { name: 'fieldOfView', min: 50, max: 110, step: 1, show: words.settings.degrees },
  { name: 'volume', min: 0, max: 1, step: 0.05, show: words.settings.percent },
]
const switches: readonly Switch[] = ['invert', 'stepUp', 'adapt']

/** The page builder writes it into the HTML. */
const licencesUrl = (): string => document.querySelector<HTMLLinkElement>('link[rel=license]')?.href ?? ''

/** The settings. Each change applies at once. */
export const SettingsWindow = ({ settings, onDone }: { settings: Signal<Settings>; onDone: () => void }) => {
  const waiting = useSignal<Action | undefined>(undefined)
  const change = (part: Partial<Settings>): void => {
    settings.value = { ...settings.value, ...part }
  }
  const takeKey = (event: KeyboardEvent): void => {
    const action = waiting.value
    if (action === undefined) return
    event.preventDefault()
    event.stopPropagation()
    if (!mayBeKey(event.code)) return
    waiting.value = undefined
    if (event.code === 'Escape') return
    const was = settings.value.keys
    // Two actions never share a key: the other action gets the previous key.
    const swapped = Object.fromEntries(
      actions.map((one) => [one, was[one] === event.code ? was[action] : was[one]]),
    ) as Settings['keys']
    change({ keys: { ...swapped, [action]: event.code } })
  }
  useEscape(() => {
    if (waiting.value === undefined) onDone()
  })
  const done = useFocus()
  const nameOf = useKeyNames()
  return (
    <div class="shade">
      <div class="window settings" role="dialog" aria-modal="true" aria-label={words.settings.title}>
        <header>
          <h2>{words.settings.title}</h2>
          <button ref={done} type="button" class="main" onClick={onDone}>
            {words.settings.done}
          </button>
        </header>
        {sliders.map(({ name, min, max, step, show }) => (
          <label key={name} class="slider">
            <span>{words.settings[name]}</span>
            <output>{show(settings.value[name])}</output>
            <input
              type="range"
              min={min}
              max={max}
              step={step}
              value={settings.value[name]}
              onInput={({ currentTarget }) => change({ [name]: Number(currentTarget.value) })}
            />
          </label>
        ))}
        {switches.map((name) => (
          <label key={name} class="switch">
            <input
              type="checkbox"
              checked={settings.value[name]}
              onChange={({ currentTarget }) => change({ [name]: currentTarget.checked })}
            />
            <span>{words.settings[name]}</span>
          </label>
        ))}
        <label class="choice">
          <span>{words.settings.daylight}</span>
          <select
            value={settings.value.daylight}
            onChange={({ currentTarget }) =>
              change({ daylight: daylights.find((one) => one === currentTarget.value) ?? 'passes' })
            }
          >
            {daylights.map((one) => (
              <option key={one} value={one}>
                {words.settings.daylights[one]}
              </option>
            ))}
          </select>
        </label>
        <label class="choice">
          <span>{words.settings.framesMax}</span>
          <select
            value={String(settings.value.framesMax)}
            onChange={({ currentTarget }) => change({ framesMax: Number(currentTarget.value) })}
          >
            {[...new Set([...frameLimits, settings.value.framesMax])].map((limit) => (
              <option key={limit} value={String(limit)}>
                {words.settings.frames(limit)}
              </option>
            ))}
          </select>
        </label>
        <h3>{words.settings.keys}</h3>
        <div class="keys">
          {actions.map((action) => (
            <div key={action}>
              <span>{words.actions[action]}</span>
              <button
                type="button"
                class={waiting.value === action ? 'waiting' : ''}
                onClick={({ currentTarget }) => {
                  // In some browsers a clicked button gets no focus, and so no keys.
                  currentTarget.focus()
                  waiting.value = action
                }}
                onKeyDown={takeKey}
                onBlur={() => {
                  waiting.value = undefined
                }}
              >
                {waiting.value === action ? words.settings.press : nameOf(settings.value.keys[action])}
              </button>
            </div>
          ))}
        </div>
        <p class="buttons">
          <button type="button" onClick={() => change({ ...defaultSettings, hotbar: settings.value.hotbar })}>
            {words.settings.reset}
          </button>
          <a href={licencesUrl()} target="_blank" rel="noopener">
            {words.settings.licences}
          </a>
        </p>
      </div>
    </div>
  )
}
