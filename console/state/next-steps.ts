/** The word as a shell takes it. */
const quote = (word: string): string => (/^[\w.@+:/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

/** What plays as that account in a terminal; it asks for the password. */
export const playCommand = (email: string, url: string): string =>
  `npm run play -- --email ${quote(email)} --password - --url ${quote(url)}`

/** What `server.yaml` says where nobody comes in without a password. */
export const passwordLines = 'auth:\n  local:\n    requirePassword: true'
