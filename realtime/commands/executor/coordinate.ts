const pattern = /^(~?)([+-]?(?:\d+\.?\d*|\.\d+))?$/

/** Whether a text is a coordinate: a number, or `~` for where one is, perhaps with a number that is added. */
export const isCoordinate = (text: string): boolean => text !== '' && pattern.test(text)

/** What a coordinate stands for, seen from `self`. */
export const readCoordinate = (text: string, self: number): number => {
  const [, relative, number = '0'] = pattern.exec(text) ?? []
  return (relative === '~' ? self : 0) + Number(number)
}
