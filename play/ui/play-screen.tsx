import { type Signal, signal } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { Session, SignIn } from '../../sdk/client.ts'
import { type Game, startGame } from '../game/game.ts'
import type { PreparedScenery } from '../game/scenery.ts'
import type { Traffic } from '../game/traffic.ts'
import type { TouchPad } from '../input/controls.ts'
import type { Stick } from '../input/stick.ts'
import { NoWebglError } from '../render/stage.ts'
import { createHud } from '../state/hud.ts'
import type { Settings } from '../state/settings.ts'
import { keepWorld } from '../state/worlds.ts'
import { words } from '../words.ts'
import { ChatEntry, ChatLog } from './chat.tsx'
import { HeldBlock } from './held-block.tsx'
import { Hotbar } from './hotbar.tsx'
import { Curtain, InspectBadge, Panel, PlayerList, Toasts } from './overlays.tsx'
import { Pause } from './pause.tsx'
import { Picker } from './picker.tsx'
import { SettingsWindow } from './settings-window.tsx'
import { TouchButtons } from './touch-buttons.tsx'
import { WhyWindow } from './why-window.tsx'
import { WorldField } from './world-field.tsx'

export type PlayScreenProps = {
  readonly scenery: PreparedScenery
  readonly session: Session
  readonly traffic: Traffic
  readonly me: SignIn
  /** Names of the running worlds, if there are several. */
  readonly worlds: readonly string[]
  readonly settings: Signal<Settings>
  readonly onSignOut: () => void
  /** The game cannot continue, with the reason as a text. */
  readonly onFault: (text: string) => void
}

const createPad = (): TouchPad => ({ jump: signal(false), down: signal(false), stick: signal<Stick | undefined>(undefined) })

/** Joins another world. */
const changeWorld = (world: string): void => {
  keepWorld(world)
  location.reload()
}

/** The game with its overlays. */
export const PlayScreen = ({ scenery, session, traffic, me, worlds, settings, onSignOut, onFault }: PlayScreenProps) => {
  const holder = useRef<HTMLDivElement>(null)
  const game = useRef<Game | undefined>(undefined)
  const hud = useMemo(createHud, [])
  const pad = useMemo(createPad, [])
  // Runs before the browser paints, while the session still holds the data since Welcome.
  useLayoutEffect(() => {
    try {
      const taken = scenery.take()
      holder.current?.append(taken.canvas)
      game.current = startGame({ scenery: taken, session, traffic, hud, pad, settings })
    } catch (error) {
      onFault(error instanceof NoWebglError ? words.errors.noWebgl : `${words.errors.broken} ${words.describe(error)}`)
      return
    }
    return () => game.current?.close()
  }, [session, traffic, hud, pad, settings, scenery, onFault])
  const screen = hud.screen.value
  const isCurtainUp = hud.curtain.value.kind !== 'none'
  const resume = () => game.current?.resume()
  return (
    <div class="game">
      <div ref={holder} />
      {screen === 'none' && !isCurtainUp ? <div class="crosshair" aria-hidden="true" /> : null}
      {screen === 'none' && !isCurtainUp ? <HeldBlock hud={hud} settings={settings} /> : null}
      {hud.zone.value === undefined ? null : (
        <p class="zone">
          <bdi>{hud.zone.value}</bdi>
        </p>
      )}
      <Toasts hud={hud} />
      <ChatLog hud={hud} />
      {screen === 'none' || screen === 'blocks' ? <Hotbar hud={hud} settings={settings} /> : null}
      {hud.isInspecting.value && screen === 'none' ? <InspectBadge hud={hud} /> : null}
      {hud.isPanelOpen.value ? <Panel hud={hud} /> : null}
      {hud.arePlayersShown.value ? <PlayerList hud={hud} /> : null}
      {hud.isTouch.value && screen === 'none' ? <TouchButtons hud={hud} pad={pad} onPause={() => game.current?.pause()} /> : null}
      {screen === 'chat' ? <ChatEntry hud={hud} onSay={(text) => game.current?.say(text)} onDone={resume} /> : null}
      {screen === 'blocks' ? <Picker hud={hud} settings={settings} onDone={resume} /> : null}
      {screen === 'pause' && !isCurtainUp ? (
        <Pause
          hud={hud}
          keys={settings.value.keys}
          onResume={resume}
          onUndo={() => {
            game.current?.say('/undo')
            resume()
          }}
          onSignOut={onSignOut}
        >
          {hud.isTouch.value ? <PlayerList hud={hud} isInline={true} /> : null}
          <WorldField worlds={worlds} world={session.welcome().world?.name ?? ''} onChange={changeWorld} />
        </Pause>
      ) : null}
      {screen === 'why' && hud.refusal.value !== undefined ? (
        <WhyWindow
          me={me}
          refusal={hud.refusal.value}
          onDone={() => {
            hud.screen.value = 'pause'
          }}
        />
      ) : null}
      {screen === 'settings' ? (
        <SettingsWindow
          settings={settings}
          onDone={() => {
            hud.screen.value = 'pause'
          }}
        />
      ) : null}
      <Curtain hud={hud} onSignOut={onSignOut} />
    </div>
  )
}
