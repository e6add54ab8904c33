/** The bytes of a file, which never change. What they grow to shares their memory, where nothing else has grown from them yet. */
export type UsersBytes = {
  readonly view: Buffer
  /** With `text` behind them, for the price of `text`. */
  readonly append: (text: string) => UsersBytes
}

type Room = { readonly memory: Buffer; used: number }

const createView = (room: Room, length: number): UsersBytes => {
  const view = room.memory.subarray(0, length)
  return {
    view,
    append: (text) => {
      const grown = length + Buffer.byteLength(text)
      const isFree = room.used === length && grown <= room.memory.length
      const next = isFree ? room : { memory: Buffer.alloc(2 * grown), used: length }
      if (!isFree) view.copy(next.memory)
      next.memory.write(text, length)
      next.used = grown
      return createView(next, grown)
    },
  }
}

/** `bytes`, which nobody else writes to. */
export const createUsersBytes = (bytes: Buffer): UsersBytes => createView({ memory: bytes, used: bytes.length }, bytes.length)
