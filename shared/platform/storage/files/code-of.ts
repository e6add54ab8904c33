/** The code of an error of the system or LMDB. Does not check the class, which differs between realms of V8. */
export const codeOf = (cause: unknown): unknown =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined
