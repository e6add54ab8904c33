/** A page whose browser grants or refuses the mouse when the test says so. */
export const createMousePage = () => {
  const canvas = Object.assign(new EventTarget(), { requestPointerLock: () => ask() })
  const page = Object.assign(new EventTarget(), { pointerLockElement: null as unknown, exitPointerLock: () => exited() })
  let exits = 0
  const exited = (): void => {
    exits += 1
  }
  let asked: { readonly give: () => void; readonly refuse: () => void } | undefined
  const ask = (): Promise<void> =>
    new Promise((resolve, reject) => {
      asked = { give: resolve, refuse: () => reject(new Error('refused')) }
    })
  const turn = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const change = (element: unknown): void => {
    page.pointerLockElement = element
    page.dispatchEvent(new Event('pointerlockchange'))
  }
  return {
    canvas,
    page,
    isAsked: () => asked !== undefined,
    exits: () => exits,
    give: async () => {
      change(canvas)
      asked?.give()
      asked = undefined
      await turn()
    },
    refuse: async () => {
      asked?.refuse()
      asked = undefined
      await turn()
    },
    /** Refuses by event, like browsers without a promise. */
    fail: () => page.dispatchEvent(new Event('pointerlockerror')),
    /** Releases the mouse. */
    leave: async () => {
      change(null)
      await turn()
    },
  }
}
