/** Vertices in the making: two numbers each, in a store that grows. */
export type QuadList = {
  push(position: number, appearance: number): void
  /** A copy of its own, and the list is empty again. */
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
