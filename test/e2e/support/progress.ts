import type { Child } from './child.ts'

/** The last progress that a command-line task has shown, as in `Generating north: 96 of 625`; 0 before the first. */
export const readProgress = (child: Child): number =>
  Number([...child.stderr().matchAll(/: ([\d,]+) of /g)].at(-1)?.[1]?.replaceAll(',', '') ?? 0)
