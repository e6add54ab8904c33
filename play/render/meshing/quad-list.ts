/** A growing list of vertices, two numbers each. */
export type QuadList = {
  push(position: number, appearance: number): void
  /** Returns a copy and clears the list. */
  take(): Uint32Array<ArrayBuffer>
}

export const createQuadList = (): QuadList => {
  let store = new Uint32Array(65_536)
  let length = 0
  return {
    push: (position, appearance) => {
      if (length + 2 > store.length) {
        const grown = new Uint32Array(store.length * 2)
        grown.set(store)
        store = grown
      }
      store[length] = position
      store[length + 1] = appearance
      length += 2
    },
    take: () => {
      const taken = store.slice(0, length)
      length = 0
      return taken
    },
  }
}
