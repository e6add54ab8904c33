import type { Random } from '../random.ts'

/** Texts that have broken parsers. */
const oddTexts = [
  '',
  ' ',
  '\0',
  '..',
  '../../etc/passwd',
  '..%2f..%2fusers.yaml',
  '%2e%2e',
  '%',
  '%zz',
  '%00',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'true',
  '-1',
  '1e999',
  '0x10',
  '9007199254740993',
  '\ud83d',
  '😀 escaped',
  '\u202eright to left',
  'é\u0301',
  '\ufeff',
  '"quoted',
  "it's",
  '{}',
  '[]',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '*',
  '-*',
  'admin',
  'a@b',
  'A@B.C ',
  'x'.repeat(300),
  'x@'.repeat(500),
  'ß'.repeat(64),
  '\n',
  'a\r\nX-Injected: 1',
  '2026-11-22T00:00:00.000Z',
  '00000000-0000-0000-0000-000000000000',
] as const

const oddNumbers = [
  0,
  -0,
  1,
  -1,
  255,
  256,
  1.5,
  1e21,
  -1e21,
  1e308,
  2 ** 31,
  -(2 ** 31),
  2 ** 53,
  30_000_000,
  -30_000_001,
  5e-324,
] as const

/** The text after encoding as UTF-8: half a surrogate pair becomes U+FFFD. */
export const asUtf8 = (text: string): string => Buffer.from(text).toString()

export const oddText = (random: Random): string => {
  const text = random.pick(oddTexts)
  return random.chance(0.1) ? text + random.pick(oddTexts) : text
}
export const oddNumber = (random: Random): number =>
  random.chance(0.3) ? random.int(-100_000, 100_000) : random.pick(oddNumbers)

const nest = (depth: number, inner: unknown, key: string | undefined): unknown => {
  let value = inner
  for (let i = 0; i < depth; i += 1) value = key === undefined ? [value] : { [key]: value }
  return value
}

/** A random odd JSON value. */
export const oddValue = (random: Random): unknown => {
  switch (random.int(0, 8)) {
    case 0:
      return null
    case 1:
      return random.chance(0.5)
    case 2:
      return []
    case 3:
      return { [oddText(random)]: oddText(random) }
    case 4:
      return oddNumber(random)
    case 5:
      return nest(random.int(1, random.chance(0.1) ? 3000 : 20), oddText(random), random.chance(0.5) ? 'a' : undefined)
    case 6:
      return Array.from({ length: random.int(1, 40) }, () => oddNumber(random))
    default:
      return oddText(random)
  }
}
