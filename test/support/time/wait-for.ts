import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves once `holds` returns true. It checks every `everyMs`, and throws after `withinMs`. */
export const waitFor = async (holds: () => boolean | Promise<boolean>, withinMs = 90_000, everyMs = 10): Promise<void> => {
  const deadline = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${holds}`)
    await sleep(everyMs)
  }
}
