/** Thrown by a check that is not possible here. The message explains why. */
export class Skipped extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'Skipped'
  }
}
