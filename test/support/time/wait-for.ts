import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves as soon as `holds` does, asking every 10 ms; throws after `withinMs`. */
export const waitFor = async (holds: () => boolean | Promise<boolean>, withinMs = 90_000): Promise<void> => {
  const deadline = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${holds}`)
    await sleep(10)
  }
}
