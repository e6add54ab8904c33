import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves as soon as `holds` does, asking every 10 ms or as often as is said; throws after `withinMs`. */
export const waitFor = async (holds: () => boolean | Promise<boolean>, withinMs = 90_000, everyMs = 10): Promise<void> => {
  const deadline = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${holds}`)
    await sleep(everyMs)
  }
}
