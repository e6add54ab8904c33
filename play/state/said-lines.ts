const saidMax = 50

/** The lines that one said with one more, once where it is the same as the last. */
export const rememberLine = (said: readonly string[], line: string): readonly string[] =>
  said.at(-1) === line ? said : [...said, line].slice(-saidMax)

/** The line that is so many steps back; none of them at 0. */
export const recallLine = (said: readonly string[], back: number): string => (back === 0 ? '' : (said[said.length - back] ?? ''))
