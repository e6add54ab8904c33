import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const numberPattern = /^(?:export )?const (\w+) = ([\d_]+(?:\.\d+)?(?: \*\*? [\d_]+)*)$/gm

/** Evaluates products and powers, the forms of constants in this project. */
const evaluate = (text: string): number =>
  text
    .replaceAll('_', '')
    .split(' * ')
    .map((factor) => factor.split(' ** ').map(Number))
    .reduce((product, [base = 1, exponent = 1]) => product * base ** exponent, 1)

/** The numeric constants of a source file by name. */
export const readConstants = (path: string): ReadonlyMap<string, number> =>
  new Map(
    [...readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8').matchAll(numberPattern)].map(
      ([, name = '', value = '']) => [name, evaluate(value)],
    ),
  )
