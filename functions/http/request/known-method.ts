const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])

/** The method of a request where it is one of HTTP's own, else `OTHER`: a client makes no new names in metrics and traces. */
export const knownMethod = (method: string): string => (methods.has(method) ? method : 'OTHER')
