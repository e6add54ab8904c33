const saidMax = 50

/** Adds a line to the sent lines, without repeating the last one. */
export const rememberLine = (said: readonly string[], line: string): readonly string[] =>
  said.at(-1) === line ? said : [...said, line].slice(-saidMax)

/** The line a number of steps back; empty at 0. */
export const recallLine = (said: readonly string[], back: number): string => (back === 0 ? '' : (said[said.length - back] ?? ''))
