import type { Body } from './step-body.ts'

/** The sounds of the game, generated from noise or a tone as they play. */
export type Sounds = {
  play(name: 'place' | 'break' | 'refused' | 'chat' | 'step' | 'splash'): void
  setVolume(volume: number): void
  setPaused(isPaused: boolean): void
  close(): void
}

type Recipe = {
  readonly tone: number
  readonly noise: number
  readonly filter: number
  readonly seconds: number
  readonly loud: number
}

const recipes: Readonly<Record<Parameters<Sounds['play']>[0], Recipe>> = {
  place: { tone: 190, noise: 0.5, filter: 900, seconds: 0.11, loud: 0.5 },
  break: { tone: 110, noise: 1, filter: 1_600, seconds: 0.17, loud: 0.5 },
  refused: { tone: 92, noise: 0.05, filter: 500, seconds: 0.22, loud: 0.4 },
  chat: { tone: 660, noise: 0, filter: 4_000, seconds: 0.09, loud: 0.12 },
  step: { tone: 70, noise: 0.7, filter: 520, seconds: 0.06, loud: 0.14 },
  splash: { tone: 0, noise: 1, filter: 1_200, seconds: 0.35, loud: 0.25 },
}

const createNoise = (context: AudioContext): AudioBuffer => {
  const buffer = context.createBuffer(1, context.sampleRate / 2, context.sampleRate)
  const data = buffer.getChannelData(0)
  for (let at = 0; at < data.length; at += 1) data[at] = Math.random() * 2 - 1
  return buffer
}

/** Silent until the first user action, as browsers require, and without audio support. */
export const createSounds = (): Sounds => {
  let opened: { readonly context: AudioContext; readonly noise: AudioBuffer } | undefined
  let volume = 0
  const open = () => {
    if (opened === undefined && typeof AudioContext === 'function' && navigator.userActivation?.hasBeenActive !== false) {
      const context = new AudioContext()
      opened = { context, noise: createNoise(context) }
    }
    return opened
  }
  // After a call, iOS says `interrupted`, and may refuse until the player does something: `wake` tries again then.
  const switchTo = (context: AudioContext, isOn: boolean): void => {
    const done = isOn ? context.resume() : context.suspend()
    done.catch(() => undefined)
  }
  // Some browsers allow sound only from within an event handler.
  const wake = (): void => {
    const audio = volume > 0 ? open() : undefined
    const isSilent = audio !== undefined && audio.context.state !== 'running' && audio.context.state !== 'closed'
    if (isSilent && document.visibilityState === 'visible') switchTo(audio.context, true)
  }
  const gestures = ['pointerdown', 'pointerup', 'keydown']
  for (const name of gestures) addEventListener(name, wake)
  return {
    close: () => {
      for (const name of gestures) removeEventListener(name, wake)
      opened?.context.close().catch(() => undefined)
    },
    setVolume: (wanted) => {
      volume = wanted
    },
    setPaused: (isPaused) => {
      if (opened !== undefined) switchTo(opened.context, !isPaused)
    },
    play: (name) => {
      const audio = volume > 0 ? open() : undefined
      if (audio === undefined || audio.context.state !== 'running') return
      const { context, noise } = audio
      const { tone, noise: grit, filter: cutoff, seconds, loud } = recipes[name]
      const now = context.currentTime
      const gain = context.createGain()
      gain.gain.setValueAtTime(loud * volume, now)
      gain.gain.exponentialRampToValueAtTime(0.001, now + seconds)
      const filter = context.createBiquadFilter()
      filter.type = 'lowpass'
      filter.frequency.value = cutoff * (0.9 + Math.random() * 0.2)
      filter.connect(gain).connect(context.destination)
      if (tone > 0) {
        const oscillator = context.createOscillator()
        oscillator.type = 'triangle'
        oscillator.frequency.setValueAtTime(tone * (0.95 + Math.random() * 0.1), now)
        oscillator.connect(filter)
        oscillator.start(now)
        oscillator.stop(now + seconds)
      }
      if (grit > 0) {
        const source = context.createBufferSource()
        const level = context.createGain()
        level.gain.value = grit
        source.buffer = noise
        source.connect(level).connect(filter)
        source.start(now, Math.random() * 0.2, seconds)
      }
    },
  }
}

/** Footsteps, and the splash on entering water. */
export const createNoises = (sounds: Sounds, isFluid: (x: number, y: number, z: number) => boolean) => {
  const blocksPerStep = 2.1
  let walked = 0
  let wasIn = false
  return (from: Body, to: Body): void => {
    const isIn = isFluid(to.x, to.y + 0.3, to.z)
    if (isIn && !wasIn) sounds.play('splash')
    wasIn = isIn
    if (!to.onGround) return
    walked += Math.min(1, Math.hypot(to.x - from.x, to.z - from.z))
    if (walked < blocksPerStep) return
    walked = 0
    sounds.play('step')
  }
}
