import { type Static, Type } from '@sinclair/typebox'
import type { Clock } from '../../../kernel/clock.ts'
import { ClosedObject } from '../../../kernel/closed-object.ts'
import { AppError } from '../../../kernel/errors.ts'
import { hashSecret, type Ids } from '../../../kernel/ids.ts'
import type { ProblemSlug } from '../../../kernel/problems/problems.ts'
import { createParser } from '../../../kernel/schema.ts'
import type { TokenStore } from '../../tokens/tokens.ts'

/** Time limit of a sign-in at the identity provider, in seconds. */
export const oauthStateTtlSeconds = 600
/** How long a late answer can still be distinguished from an unknown one, in seconds from the start. */
const remembered = 2 * oauthStateTtlSeconds

const Kept = ClosedObject({
  verifier: Type.String(),
  nonce: Type.String(),
  returnUrl: Type.String(),
  client: Type.String(),
  /** Milliseconds since the epoch. */
  startedAt: Type.Number(),
})
const parseKept = createParser(Kept)
type Kept = Static<typeof Kept>

export type OauthStateDeps = {
  readonly tokens: Pick<TokenStore, 'putOnce' | 'findOnce' | 'takeOnce'>
  readonly clock: Clock
  readonly ids: Ids
}

/** The part of a browser's answer that identifies its sign-in. `client` identifies the provider and client that it started with. */
export type ReturnedState = {
  readonly state: string | undefined
  readonly browserSecret: string | undefined
  readonly client: string
}

const refuse = (slug: ProblemSlug, detail: string) => new AppError('invalid', slug, detail)
const unknownState = () => refuse('unknown-state', 'This sign-in did not start here, or too long ago. Sign in again.')
const usedState = () => refuse('state-used', 'This sign-in is already complete. Start a new one.')
const expiredState = () =>
  refuse('state-expired', 'The sign-in took longer than ten minutes, or the identity provider has changed. Sign in again.')
const wrongBrowser = () =>
  refuse(
    'wrong-browser',
    'This sign-in started in another browser, at another host name or without cookies. Sign in again in one browser.',
  )

/** The key includes the browser, so that no other browser can reach the sign-in. */
const keptKey = (state: string, browserHash: string) => `oauth ${state} ${browserHash}`
const begunKey = (state: string) => `oauth-begun ${state}`
const isState = (text: string | undefined): text is string => text !== undefined && /^[A-Za-z0-9_-]{43}$/.test(text)

const readKept = (text: string): Kept => {
  const parsed = parseKept(JSON.parse(text))
  if (!parsed.ok) throw unknownState()
  return parsed.value
}

/**
 * Pending sign-ins at the identity provider. They are in the token store, so that any process can complete them. Each is completed once,
 * within ten minutes, by the browser that started it. An attempt of another browser does not affect it, even at the same moment.
 */
export const createOauthStates = ({ tokens, clock, ids }: OauthStateDeps) => {
  const isLate = ({ startedAt }: Kept): boolean => (clock.now() - startedAt) / 1000 >= oauthStateTtlSeconds

  /** The error for a sign-in that this browser cannot complete. */
  const explain = async (state: string): Promise<AppError> => {
    const browserHash = await tokens.findOnce(begunKey(state))
    if (browserHash === undefined) return unknownState()
    const text = await tokens.findOnce(keptKey(state, browserHash))
    if (text === undefined) return usedState()
    return isLate(readKept(text)) ? expiredState() : wrongBrowser()
  }

  return {
    begin: async (returnUrl: string, client: string) => {
      const [state, browserSecret, verifier, nonce] = [ids.secret(), ids.secret(), ids.secret(), ids.secret()]
      const kept: Kept = { verifier, nonce, returnUrl, client, startedAt: clock.now() }
      const browserHash = hashSecret(browserSecret)
      await Promise.all([
        tokens.putOnce(keptKey(state, browserHash), JSON.stringify(kept), remembered),
        tokens.putOnce(begunKey(state), browserHash, remembered),
      ])
      return { state, browserSecret, verifier, nonce }
    },

    /** Throws `invalid` with the reason: `unknown-state`, `state-used`, `state-expired` or `wrong-browser`. */
    take: async ({ state, browserSecret, client }: ReturnedState) => {
      if (!isState(state)) throw unknownState()
      const text = browserSecret && (await tokens.takeOnce(keptKey(state, hashSecret(browserSecret))))
      if (!text) throw await explain(state)
      const kept = readKept(text)
      if (isLate(kept) || kept.client !== client) throw expiredState()
      return kept
    },
  }
}
