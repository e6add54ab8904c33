/** The word, quoted for a shell. */
const quote = (word: string): string => (/^[\w.@+:/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

/** The command that plays as the account in a terminal. It prompts for the password. */
export const playCommand = (email: string, url: string): string =>
  `npm run play -- --email ${quote(email)} --password - --url ${quote(url)}`

/** The lines of `server.yaml` that require a password. */
export const passwordLines = 'auth:\n  local:\n    requirePassword: true'
