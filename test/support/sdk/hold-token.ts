/** Whoever has a token and nothing else, as the client library takes them. */
export const holdToken = (url: string, token: string) => ({
  url: url.replace(/^ws/, 'http').replace(/\/realtime$/, ''),
  token: () => token,
  renew: async () => token,
})
