import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import { signal } from '@preact/signals'
import { watchGraphics } from '../../../../play/game/picture/watch-graphics.ts'
import type { StageEvents } from '../../../../play/render/stage.ts'
import type { Curtain } from '../../../../play/state/hud.ts'
import { words } from '../../../../play/words.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

const open = (isLost: boolean) => {
  const curtain = signal<Curtain>({ kind: 'loading' })
  const told: string[] = []
  let card: StageEvents | undefined
  const watch = watchGraphics({
    stage: {
      isLost: () => isLost,
      watch: (events) => {
        card = events
      },
    },
    hud: { curtain, toast: (_kind, text) => void told.push(text) },
    onGone: () => void told.push('gone'),
    onRestored: () => void told.push('restored'),
  })
  return { curtain, told, watch, card: () => card }
}

it('reports a picture that does not come back when the context was lost before the start', () => {
  const { curtain, told } = open(true)
  expect(told).toEqual([words.errors.contextLost])
  jest.advanceTimersByTime(10_000)
  expect(curtain.value).toMatchObject({ kind: 'ended', title: words.errors.contextGone })
  expect(told.at(-1)).toBe('gone')
})

it('withdraws the message when the context is restored', () => {
  const { curtain, told, card, watch } = open(false)
  expect(told).toEqual([])
  card()?.onLost()
  jest.advanceTimersByTime(10_000)
  curtain.value = { kind: 'loading' }
  watch.tellAgain()
  expect(curtain.value).toMatchObject({ kind: 'ended' })
  card()?.onRestored()
  expect(curtain.value).toEqual({ kind: 'none' })
  expect(told.slice(-2)).toEqual([words.errors.contextBack, 'restored'])
})

it('reports nothing for a context that is restored in time, nor after the game', () => {
  const { curtain, card, watch } = open(true)
  card()?.onRestored()
  jest.advanceTimersByTime(20_000)
  expect(curtain.value).toEqual({ kind: 'loading' })
  card()?.onLost()
  watch.stop()
  jest.advanceTimersByTime(20_000)
  expect(curtain.value).toEqual({ kind: 'loading' })
})
