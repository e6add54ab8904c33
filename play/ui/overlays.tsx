import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { press } from '../input/press.ts'
import type { Figures, Hud, Somebody } from '../state/hud.ts'
import { words } from '../words.ts'
import { Isolated } from './isolated.tsx'

/** Connected players out of view, from the server's last answer. */
const listFurther = ({ everybody, others, name }: Hud): readonly Somebody[] => {
  const near = [...others.value, name.value]
  return (everybody.value?.people ?? []).filter(({ displayName }) => {
    const at = near.indexOf(displayName)
    if (at >= 0) near.splice(at, 1)
    return at < 0
  })
}

/** The list gets another column after this many names. */
const namesPerColumn = 8

/** Hides the lines that do not fit and counts them, because a captured mouse cannot scroll. With touch, lists scroll. */
const useFit = () => {
  const list = useRef<HTMLUListElement>(null)
  const hidden = useSignal(0)
  useLayoutEffect(() => {
    if (list.current === null) return
    const canScroll = getComputedStyle(list.current).overflowY !== 'hidden'
    const { bottom } = list.current.getBoundingClientRect()
    const lines = [...list.current.querySelectorAll('li')]
    const isCut = (line: HTMLElement): boolean => !canScroll && line.getBoundingClientRect().bottom > bottom + 1
    for (const line of lines) line.style.visibility = isCut(line) ? 'hidden' : ''
    hidden.value = lines.filter(isCut).length
  })
  return { list, hidden: hidden.value }
}

/** The players online: those in view first, then all others if the player can list them. */
export const PlayerList = ({ hud, isInline = false }: { hud: Hud; isInline?: boolean }) => {
  const near = hud.others.value
  const further = listFurther(hud)
  const listed = near.length + further.length + 1
  const count = Math.max(listed, hud.everybody.value?.count ?? 0)
  const { list, hidden } = useFit()
  const more = count - listed + hidden
  const alone = hud.everybody.value === undefined ? words.players.noneNear : words.players.alone
  return (
    <section
      class={isInline ? 'people inline' : 'window people'}
      style={{ '--columns': Math.ceil(listed / namesPerColumn) }}
      aria-label={words.players.title}
    >
      <h2>
        {words.players.title} <small>{words.players.count(count)}</small>
      </h2>
      <ul ref={list}>
        <li>
          <bdi>{hud.name.value}</bdi> <small>{words.players.you}</small>
        </li>
        {near.map((other, at) => (
          <li key={`${at} ${other}`}>
            <bdi>{other}</bdi> {further.length === 0 ? null : <small>{words.players.near}</small>}
          </li>
        ))}
        {further.map(({ displayName, world }, at) => (
          <li key={`${at} ${displayName}`}>
            <bdi>{displayName}</bdi> {world === undefined ? null : <small>{words.players.world(world)}</small>}
          </li>
        ))}
      </ul>
      <p>{more > 0 ? words.players.more(more) : count === 1 ? alone : ''}</p>
    </section>
  )
}

const compass = ['E', 'SE', 'S', 'SW', 'W', 'NW', 'N', 'NE']

const describeHour = (hour: number): string => `${Math.floor(hour)}:${String(Math.floor((hour % 1) * 60)).padStart(2, '0')}`

const describeBytes = (bytes: number): string => (bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KiB`)

const describeFigures = (of: Figures): readonly (readonly [string, string])[] => [
  ['fps', `${of.frames} (worst ${of.worstMs} ms)`],
  ['ping', of.ping === undefined ? '–' : `${of.ping} ms`],
  ['position', `${of.x.toFixed(2)} ${of.y.toFixed(2)} ${of.z.toFixed(2)}`],
  ['facing', `${compass[Math.round(of.yaw / 45) % 8]} ${of.yaw.toFixed(0)}°`],
  ['block', of.block === '' ? '–' : of.block],
  ['chunks', `${of.meshed} drawn of ${of.columns}, ${of.waiting} waiting`],
  ['mesher', `${of.meshMs.toFixed(1)} ms per chunk`],
  ['drawn', `${of.calls} calls, ${of.triangles} triangles, ${Math.round(of.scale * 100)} %`],
  ['players', `${of.players}`],
  ['time', describeHour(of.hour)],
  ['tick', `${of.tick ?? '–'} (${of.tickRate} per second)`],
  ['bytes', `${describeBytes(of.bytesIn)} in, ${describeBytes(of.bytesOut)} out per second`],
]

/** The debug info (F3). */
export const Panel = ({ hud }: { hud: Hud }) => {
  const figures = hud.figures.value
  if (figures === undefined) return null
  return (
    <dl class="panel">
      {describeFigures(figures).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Short messages about events. */
export const Toasts = ({ hud }: { hud: Hud }) => (
  <div class="toasts" role="status">
    {hud.toasts.value.map(({ id, kind, text, details }) => (
      <p key={id} class={`toast ${kind}`}>
        <Isolated text={text} />
        {details.map((detail, at) => (
          <span key={`${at} ${detail}`}>
            <bdi>{detail}</bdi>
          </span>
        ))}
      </p>
    ))}
  </div>
)

/** The inspection mode, in which a click does not build. */
export const InspectBadge = ({ hud }: { hud: Hud }) => (
  <p class="badge" role="status">
    {words.inspect.on}
    <button
      type="button"
      {...press(() => {
        hud.isInspecting.value = false
      })}
    >
      {words.inspect.end}
    </button>
  </p>
)

/** The screen without a game. */
export const Curtain = ({ hud, onSignOut }: { hud: Hud; onSignOut: () => void }) => {
  const curtain = hud.curtain.value
  const again = useSignal(0)
  useEffect(() => {
    const timer = setInterval(() => {
      again.value += 1
    }, 500)
    return () => clearInterval(timer)
  }, [again])
  if (curtain.kind === 'none') return null
  if (curtain.kind === 'loading')
    return (
      <div class="curtain" role="status">
        <p class="pulse">{words.loading}</p>
      </div>
    )
  if (curtain.kind === 'lost') {
    const seconds = curtain.retryAt === undefined || again.value < 0 ? 0 : Math.ceil((curtain.retryAt - Date.now()) / 1000)
    return (
      <div class="curtain veil" role="status">
        <h2>{words.lost.title}</h2>
        <p class="pulse">{seconds > 0 ? words.lost.retry(seconds) : words.lost.again}</p>
      </div>
    )
  }
  return (
    <div class="curtain" role="alert">
      <h2>{curtain.title}</h2>
      <p>
        <bdi>{curtain.text}</bdi>
      </p>
      <p class="buttons">
        <button type="button" class="main" onClick={() => location.reload()}>
          {words.ended.reload}
        </button>
        <button type="button" onClick={onSignOut}>
          {words.ended.signOut}
        </button>
      </p>
    </div>
  )
}
