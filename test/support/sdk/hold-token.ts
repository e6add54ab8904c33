/** The holder of a token without a sign-in, in the form that the client library accepts. */
export const holdToken = (url: string, token: string) => ({
  url: url.replace(/^ws/, 'http').replace(/\/realtime$/, ''),
  token: () => token,
  renew: async () => token,
})
