import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { createSounds, type Sounds } from '../../../play/game/sounds.ts'

const names = ['AudioContext', 'document', 'navigator', 'addEventListener', 'removeEventListener'] as const

let page: EventTarget
let sounds: Sounds
/** As on iOS during and after a call: the state is `interrupted`, and it refuses to resume. */
let audio: { state: string; asked: number; isRefusing: boolean }
const unhandled: unknown[] = []
const note = (reason: unknown): void => void unhandled.push(reason)

beforeEach(() => {
  page = new EventTarget()
  audio = { state: 'suspended', asked: 0, isRefusing: false }
  const answer = async (state: string): Promise<void> => {
    if (audio.isRefusing) throw new DOMException('Failed to start the audio device', 'InvalidStateError')
    audio.state = state
  }
  const AudioContext = class {
    readonly sampleRate = 8
    get state(): string {
      return audio.state
    }
    createBuffer() {
      return { getChannelData: () => new Float32Array(4) }
    }
    resume(): Promise<void> {
      audio.asked += 1
      return answer('running')
    }
    suspend(): Promise<void> {
      return answer('suspended')
    }
    close(): Promise<void> {
      return answer('closed')
    }
  }
  Object.assign(globalThis, {
    AudioContext,
    document: { visibilityState: 'visible' },
    navigator: {},
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
  })
  process.on('unhandledRejection', note)
  sounds = createSounds()
  sounds.setVolume(1)
  page.dispatchEvent(new Event('pointerdown'))
})
afterEach(() => {
  sounds.close()
  process.off('unhandledRejection', note)
  for (const name of names) Reflect.deleteProperty(globalThis, name)
})

const settle = () => new Promise((resolve) => setTimeout(resolve))

it('are audible again after a call, as soon as the player does something', async () => {
  await settle()
  expect(audio.state).toBe('running')
  audio.state = 'interrupted'
  page.dispatchEvent(new Event('pointerup'))
  await settle()
  expect(audio.state).toBe('running')
})

it('tolerate a device that is not available yet', async () => {
  audio.isRefusing = true
  sounds.setPaused(true)
  sounds.setPaused(false)
  sounds.close()
  await settle()
  await settle()
  expect(unhandled).toEqual([])
})

it('do not resume a running context', async () => {
  await settle()
  page.dispatchEvent(new Event('keydown'))
  expect(audio.asked).toBe(1)
})
