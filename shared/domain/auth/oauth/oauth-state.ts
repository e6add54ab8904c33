import { type Static, Type } from '@sinclair/typebox'
import type { Clock } from '../../../kernel/clock.ts'
import { ClosedObject } from '../../../kernel/closed-object.ts'
import { AppError } from '../../../kernel/errors.ts'
import { hashSecret, type Ids } from '../../../kernel/ids.ts'
import type { ProblemSlug } from '../../../kernel/problems/problems.ts'
import { createParser } from '../../../kernel/schema.ts'
import type { TokenStore } from '../../tokens/tokens.ts'

/** How long a sign-in at the identity provider may take, in seconds. */
export const oauthStateTtlSeconds = 600
/** How long a late answer is still told from one that was never asked for, in seconds from the start. */
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

/** The answer of a browser, as far as it says which sign-in it ends; `client` names the provider and client it was begun for. */
export type ReturnedState = {
  readonly state: string | undefined
  readonly browserSecret: string | undefined
  readonly client: string
}

const refuse = (slug: ProblemSlug, detail: string) => new AppError('invalid', slug, detail)
const unknownState = () => refuse('unknown-state', 'This sign-in was not begun here, or too long ago; begin it anew.')
const usedState = () => refuse('state-used', 'This sign-in was ended before; begin a new one.')
const expiredState = () =>
  refuse('state-expired', 'The sign-in took longer than ten minutes, or its provider was changed meanwhile; begin it anew.')
const wrongBrowser = () =>
  refuse(
    'wrong-browser',
    'This sign-in was begun in another browser, at another host name, or without cookies; begin and end it in one.',
  )

/** What a sign-in was begun with stands under its state and its browser: nobody else's attempt comes near it. */
const keptKey = (state: string, browserHash: string) => `oauth ${state} ${browserHash}`
const begunKey = (state: string) => `oauth-begun ${state}`
const isState = (text: string | undefined): text is string => text !== undefined && /^[A-Za-z0-9_-]{43}$/.test(text)

const readKept = (text: string): Kept => {
  const parsed = parseKept(JSON.parse(text))
  if (!parsed.ok) throw unknownState()
  return parsed.value
}

/**
 * Sign-ins that are under way at the identity provider, in the token store, so that any process can end them. Each is ended once, by
 * the browser that began it, within ten minutes; another browser's attempt leaves it as it is, also at the same moment.
 */
export const createOauthStates = ({ tokens, clock, ids }: OauthStateDeps) => {
  const isLate = ({ startedAt }: Kept): boolean => (clock.now() - startedAt) / 1000 >= oauthStateTtlSeconds

  /** Why there is nothing that this browser could end. */
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

    /** Throws `invalid` by what is wrong: `unknown-state`, `state-used`, `state-expired` or `wrong-browser`. */
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
