/** Dice such as `2d6+3`: 1 to 99 dice of 2 to 100 sides, plus or minus up to 9,999. */
export const dicePattern = '^[1-9][0-9]?d([2-9]|[1-9][0-9]|100)([+-](0|[1-9][0-9]{0,3}))?$'

/** `2d6+3` is two dice of six sides, plus three. */
export type Dice = { readonly count: number; readonly sides: number; readonly plus: number }

/** Parses dice of `skills/attacks.yaml`. Undefined if the text is not dice. */
export const parseDice = (text: string): Dice | undefined => {
  if (!new RegExp(dicePattern).test(text)) return undefined
  const [count, sides, plus = 0] = text.split(/d|(?=[+-])/).map(Number)
  return count === undefined || sides === undefined ? undefined : { count, sides, plus }
}

/** The sum of one roll. `random` returns a number from 0 to 1, 1 excluded. */
export const rollDice = ({ count, sides, plus }: Dice, random: () => number): number => {
  let sum = plus
  for (let die = 0; die < count; die += 1) sum += 1 + Math.floor(random() * sides)
  return sum
}
