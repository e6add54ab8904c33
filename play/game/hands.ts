import type { Signal } from '@preact/signals'
import type { BlockType, Position, Session } from '../../sdk/client.ts'
import type { BlockCache, BlockPos, RayHit } from '../../sdk/world.ts'
import type { Hud } from '../state/hud.ts'
import type { Settings } from '../state/settings.ts'
import { words } from '../words.ts'
import { createBuilder } from './builder.ts'
import type { Ground } from './ground.ts'
import type { Sounds } from './sounds.ts'

export type HandsOptions = {
  readonly session: Pick<Session, 'edit' | 'on'>
  readonly blocks: BlockCache
  readonly ground: Pick<Ground, 'show'>
  readonly hud: Hud
  readonly settings: Signal<Settings>
  readonly sounds: Sounds
  /** The position and direction of the player. */
  readonly place: () => Position
  /** Sends the current position, from which the server measures reach. */
  readonly tellPlace: () => void
  /** Requests the history of a block. */
  readonly inspect: (at: BlockPos) => void
  /** Shows the fragments of a broken block. */
  readonly crumble: (at: BlockPos, colour: number) => void
}

/** Acts on blocks with the selected slot, once or repeatedly. */
export type Hands = {
  findTarget(): RayHit | undefined
  act(button: 'break' | 'place' | 'pick', nowMs: number): void
  repeat(button: 'break' | 'place' | undefined, nowMs: number): void
  close(): void
}

const repeatMs = 230

/** Whether players swim in the block kind, and see and build through it. */
export const isFluid = ({ id, solid }: Pick<BlockType, 'id' | 'solid'>): boolean => !solid && /water|lava/.test(id)

/** The server accepts about ten edits a second besides moves, and disconnects players who send far more. */
const [actsPerSecond, actsAtOnce] = [8, 8]

export const createHands = ({ session, blocks, ground, hud, settings, sounds, ...options }: HandsOptions): Hands => {
  const { place, tellPlace, inspect, crumble } = options
  const builder = createBuilder({
    blocks,
    edit: (edits) => {
      tellPlace()
      return session.edit(edits)
    },
    show: ground.show,
    onRefused: (refusal) => {
      hud.refuse(words.refused(refusal), refusal.explain)
      sounds.play('refused')
    },
    isFluid,
  })
  const close = session.on('blocksChanged', ({ edits }) => builder.noteChanged(edits))
  let actedMs = 0
  let acts = actsAtOnce
  const findTarget = () => builder.findTarget(place())
  const pick = (): void => {
    const id = findTarget()?.kind.id
    if (id === undefined) return
    const bar = settings.value.hotbar
    if (bar.includes(id)) hud.slot.value = bar.indexOf(id)
    else settings.value = { ...settings.value, hotbar: bar.map((was, at) => (at === hud.slot.value ? id : was)) }
  }
  /** Inspects the block for a break click, and the air before it for a place click. */
  const look = (button: 'break' | 'place'): void => {
    const target = findTarget()
    if (target !== undefined) inspect(button === 'break' ? target.block : target.before)
  }
  const act: Hands['act'] = (button, nowMs) => {
    if (button === 'pick') return pick()
    acts = Math.min(actsAtOnce, acts + ((nowMs - actedMs) * actsPerSecond) / 1000)
    actedMs = nowMs
    hud.swings.value += 1
    if (acts < 1) return
    if (hud.isInspecting.value) {
      acts -= 1
      return look(button)
    }
    const type = settings.value.hotbar[hud.slot.value] ?? ''
    const target = findTarget()
    const isDone = button === 'break' ? builder.remove(place()) : builder.place(place(), type)
    if (!isDone) return
    acts -= 1
    sounds.play(button)
    if (button === 'break' && target !== undefined) crumble(target.block, target.kind.colour)
  }
  return {
    findTarget,
    act,
    repeat: (button, nowMs) => {
      if (button !== undefined && !hud.isInspecting.value && nowMs - actedMs > repeatMs) act(button, nowMs)
    },
    close,
  }
}
