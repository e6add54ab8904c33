/** A guarantee that the server breaks. Both sides are texts for people. */
export class Mismatch extends Error {
  readonly expected: string
  readonly got: string

  constructor(expected: string, got: string) {
    super(`expected ${expected}, got ${got}`)
    this.name = 'Mismatch'
    this.expected = expected
    this.got = got
  }
}
