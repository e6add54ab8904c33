import type { Attack, Ground } from '../attack.ts'
import { repeat } from '../attack-sockets.ts'

const post = async ({ url }: Ground, path: string, body: string): Promise<void> => {
  const headers = { 'Content-Type': 'application/json' }
  await fetch(url + path, { method: 'POST', headers, body, signal: AbortSignal.timeout(30_000) }).then(
    (answer) => answer.arrayBuffer(),
    () => undefined,
  )
}

const atOnce = (ground: Ground, streams: number, act: (turn: number) => Promise<void>): Promise<void> =>
  Promise.all(Array.from({ length: streams }, () => repeat(ground, 1, act))).then(() => undefined)

/** Sign-ins with unknown names. */
export const logins: Attack = {
  name: 'logins',
  run: (ground) =>
    atOnce(ground, 20, () =>
      post(ground, '/auth/login', JSON.stringify({ email: `nobody-${ground.random.int(0, 50)}@example.com`, password: 'wrong' })),
    ),
}

const bodyBytes = 1_048_000
const unknownKeys = (): string =>
  `{${Array.from({ length: Math.floor(bodyBytes / 12) }, (_, i) => `"k${i.toString(36)}":0`).join(',')}}`
const escapedText = (): string => `["😀 escaped",${Array.from({ length: Math.floor(bodyBytes / 2) - 20 }, () => '0').join(',')}]`

const largeBodies = (name: string, body: () => string): Attack => ({
  name,
  run: async (ground) => {
    const text = body()
    await atOnce(ground, 4, () => post(ground, '/auth/login', text))
  },
})

/** Bodies of a mebibyte without a token: unknown keys, and a long list. */
export const unknownKeyBodies = largeBodies('unknown-key-bodies', unknownKeys)
export const escapedBodies = largeBodies('escaped-bodies', escapedText)
