/** The same pieces; calls `done` when they end, fail or are abandoned. */
export const withEnd = <T>(pieces: AsyncIterable<T>, done: () => void): AsyncIterable<T> => ({
  [Symbol.asyncIterator]: () => {
    const iterator = pieces[Symbol.asyncIterator]()
    return {
      next: async () => {
        try {
          const next = await iterator.next()
          if (next.done === true) done()
          return next
        } catch (error) {
          done()
          throw error
        }
      },
      return: async () => {
        done()
        await iterator.return?.()
        return { done: true, value: undefined }
      },
    }
  },
})
