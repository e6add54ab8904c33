const firstCapacity = 256
const nothing = Buffer.alloc(0)

/** The beginning of one frame whose end has not come: a single piece of memory, however many pieces it came in. */
export class CutFrame {
  /** Bytes that are here. */
  size = 0
  /** All that the frame has; 0 while its header is cut. */
  length = 0
  memory = nothing

  /** Adds what `chunk` has from `at` on, until there are `wanted` bytes; how many it took. */
  add(chunk: Buffer, at: number, end: number, wanted: number): number {
    const taken = Math.min(wanted - this.size, end - at)
    this.makeRoom(this.size + taken, wanted)
    chunk.copy(this.memory, this.size, at, at + taken)
    this.size += taken
    return taken
  }

  /** The memory, which is the caller's from now on. */
  release(): Buffer {
    const { memory } = this
    this.memory = nothing
    this.size = 0
    this.length = 0
    return memory
  }

  // Never more than the frame, nor than twice what came of it: what a header promises costs nothing.
  private makeRoom(needed: number, wanted: number): void {
    if (needed <= this.memory.length) return
    const grown = Buffer.allocUnsafeSlow(Math.min(wanted, Math.max(needed, firstCapacity, 2 * this.memory.length)))
    this.memory.copy(grown, 0, 0, this.size)
    this.memory = grown
  }
}
