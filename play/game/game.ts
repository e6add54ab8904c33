import type { Signal } from '@preact/signals'
import { RefusedError, type Session } from '../../sdk/client.ts'
import { type BlockPos, eyeHeight, isChunkPos, watchWorld } from '../../sdk/world.ts'
import { createControls, type TouchPad } from '../input/controls.ts'
import { fitFieldOfView } from '../render/field-of-view.ts'
import { hideSecrets } from '../state/command-line.ts'
import type { Hud } from '../state/hud.ts'
import { rememberLine } from '../state/said-lines.ts'
import type { Settings } from '../state/settings.ts'
import { words } from '../words.ts'
import { createActions } from './actions.ts'
import { createCrowd } from './crowd.ts'
import { createDayClock } from './day-clock.ts'
import { createGround } from './ground.ts'
import { createHands, isFluid as isFluidKind } from './hands.ts'
import { learnNames, learnPeople } from './learn-names.ts'
import { measure } from './measure.ts'
import { createFrameMeter } from './picture/frame-meter.ts'
import { createPace, limitFrames } from './picture/pace.ts'
import { createView } from './picture/view.ts'
import { watchGraphics } from './picture/watch-graphics.ts'
import type { Scenery } from './scenery.ts'
import { createNoises, createSounds } from './sounds.ts'
import { tellEvents } from './tell-events.ts'
import type { Traffic } from './traffic.ts'
import { createWalker } from './walker.ts'

export type GameOptions = {
  readonly scenery: Scenery
  readonly session: Session
  readonly traffic: Traffic
  readonly hud: Hud
  readonly pad: TouchPad
  readonly settings: Signal<Settings>
}

/** A running game. */
export type Game = {
  /** Captures the mouse. */
  resume(): void
  pause(): void
  /** Sends a chat line, or runs a command. */
  say(text: string): void
  close(): void
}

const now = (): number => performance.now()

/** Plays a session on a canvas until closed. Call it before any data of the world arrives. */
export const startGame = ({ scenery, session, traffic, hud, pad, settings }: GameOptions): Game => {
  const { canvas, stage, terrain, air, outline, figures, crumbs, tags, workers } = scenery
  const world = watchWorld(session, now)
  const { blocks, players, mover } = world
  const ground = createGround({ session, world, terrain, workers })
  const crowd = createCrowd()
  const clock = createDayClock(settings)
  const [meter, sounds] = [createFrameMeter(now), createSounds()]
  const graphics = watchGraphics({
    stage,
    hud,
    onGone: () => pause(),
    onRestored: () => {
      ground.redraw()
      tags.repaint()
    },
  })
  const idAt = (x: number, y: number, z: number): string => blocks.blockAt(Math.floor(x), Math.floor(y), Math.floor(z))?.id ?? ''
  const isFluid = (x: number, y: number, z: number): boolean => {
    const kind = blocks.blockAt(Math.floor(x), Math.floor(y), Math.floor(z))
    return kind !== undefined && isFluidKind(kind)
  }
  const walker = createWalker({ world, isFluid, now })
  const place = () => ({ ...walker.body(), ...controls.look })
  const run = (text: string): void => {
    const tellFault = (error: unknown): void => {
      // Refusals have their own event.
      if (!(error instanceof RefusedError)) hud.say({ kind: 'error', text: words.describe(error) })
    }
    if (!text.startsWith('/')) return void session.chat(text).catch(tellFault)
    session.command(text).then((answer) => hud.say({ kind: answer.ok ? 'info' : 'error', text: answer.text }), tellFault)
  }
  const inspect = ({ x, y, z }: BlockPos): void => run(`/inspect ${x} ${y} ${z}`)
  const hands = createHands({
    session,
    blocks,
    ground,
    hud,
    settings,
    sounds,
    place,
    inspect,
    tellPlace: walker.tell,
    crumble: crumbs.burst,
  })
  const controls = createControls({
    canvas,
    hud,
    pad,
    settings,
    onAction: createActions(hud, () => controls),
    onButton: (button) => hands.act(button, now()),
  })
  const view = createView({ canvas, stage, session, settings })
  const begin = (): void => {
    walker.begin()
    controls.look.yaw = mover.position().yaw
    controls.look.pitch = mover.position().pitch
    view.begin()
  }
  begin()
  const noises = createNoises(sounds, isFluid)
  const hidePlayers = ({ code }: KeyboardEvent): void => {
    if (code === settings.value.keys.players) hud.arePlayersShown.value = false
  }
  const hideOnBlur = (): void => {
    hud.arePlayersShown.value = false
  }
  addEventListener('keyup', hidePlayers)
  addEventListener('blur', hideOnBlur)
  const pause = (): void => {
    hud.screen.value = 'pause'
    controls.pause()
  }
  const pauseWhenHidden = (): void => {
    const isHidden = document.visibilityState === 'hidden'
    sounds.setPaused(isHidden)
    if (isHidden && hud.screen.value === 'none') pause()
  }
  document.addEventListener('visibilitychange', pauseWhenHidden)
  const ends = [
    tellEvents(session, hud, sounds),
    learnNames(session, hud),
    learnPeople(session, hud),
    session.on('welcome', begin),
    session.on('correction', walker.correct),
    // The last screen has buttons, which need the mouse.
    session.on('state', ({ name }) => {
      if (name === 'ended') pause()
      // The graphics may still be lost after a reconnect.
      else if (name === 'live') graphics.tellAgain()
    }),
    measure({
      session,
      world,
      hud,
      stage,
      terrain,
      ground,
      walker,
      hands,
      meter,
      clock,
      traffic,
      now,
      yaw: () => controls.look.yaw,
      scale: view.scale,
    }),
    graphics.stop,
    () => removeEventListener('keyup', hidePlayers),
    () => removeEventListener('blur', hideOnBlur),
    () => document.removeEventListener('visibilitychange', pauseWhenHidden),
    sounds.close,
    view.close,
    controls.close,
    hands.close,
    ground.close,
    world.stop,
    stage.dispose,
  ]

  const isGroundThere = (): boolean => {
    const { x, z } = walker.body()
    const [cx, cz] = [Math.floor(x / 16), Math.floor(z / 16)]
    // Columns beyond the edge of the world never arrive.
    return terrain.has(cx, cz) || !isChunkPos({ cx, cz })
  }
  const draw = (nowMs: number, seconds: number): void => {
    const { x, y, z } = walker.view()
    const eye = { x, y: y + eyeHeight, z, ...controls.look }
    outline.show(hud.screen.value === 'none' ? hands.findTarget()?.block : undefined)
    // Skips players at the same position, because the camera would be inside them.
    const seen = players.drawAt(nowMs).filter((one) => Math.hypot(one.x - x, one.z - z) > 0.55 || Math.abs(one.y - y) > 2)
    figures.draw(crowd.pose(seen, seconds), eye)
    tags.draw(seen, eye)
    crumbs.draw(seconds)
    air.breathe({
      eye,
      seconds: nowMs / 1000,
      viewRadius: view.radius(),
      blockId: idAt(eye.x, eye.y + 0.1, eye.z),
      hour: clock.hour(),
    })
    stage.look(eye, fitFieldOfView(settings.value.fieldOfView, stage.camera.aspect))
    stage.draw()
  }
  const pace = createPace()
  let lastMs = now()
  const frame = (): void => {
    request = requestAnimationFrame(frame)
    const nowMs = now()
    const framesMax = limitFrames(hud, settings.value)
    if (!pace.isDue(nowMs, framesMax)) return
    const elapsedMs = nowMs - lastMs
    lastMs = nowMs
    ground.settle()
    if (hud.curtain.value.kind === 'loading' && isGroundThere()) hud.curtain.value = { kind: 'none' }
    if (hud.isFlying.value && !hud.mayFly.value) hud.isFlying.value = false
    sounds.setVolume(settings.value.volume)
    const from = walker.body()
    const wanted = { ...controls.wanted(), fly: hud.isFlying.value, stepUp: settings.value.stepUp }
    walker.advance(nowMs, wanted, controls.look)
    noises(from, walker.body())
    hands.repeat(controls.held(), nowMs)
    draw(nowMs, Math.min(0.25, elapsedMs / 1000))
    meter.note(elapsedMs)
    view.note(elapsedMs, nowMs, framesMax)
  }
  let request = requestAnimationFrame(frame)

  return {
    resume: controls.resume,
    pause,
    say: (text) => {
      const shown = hideSecrets(text, hud.commands.value)
      if (text.startsWith('/')) hud.say({ kind: 'own', text: shown })
      // Stores neither the secret nor a line that would send the dots instead.
      if (shown === text) hud.said.value = rememberLine(hud.said.value, text)
      run(text)
    },
    close: () => {
      cancelAnimationFrame(request)
      for (const end of ends) end()
    },
  }
}
