/** The code of a system's or LMDB's error; not by its class, which is another one in each realm of V8. */
export const codeOf = (cause: unknown): unknown =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined
