import type { CustomFetch } from 'openid-client'
import type { Clock } from '../../../kernel/clock.ts'
import { type ConfiguredClient, createConfigure, type SecretMethod } from './oauth-client.ts'
import { createIssuerFetch, type ExchangedCodes } from './oauth-fetch.ts'
import type { OauthSettings } from './oauth-settings.ts'

/** What the provider said of itself at one time, and the library set up by it, for all sign-ins meanwhile. */
export type OauthEdition = {
  /** Once for each method, whatever comes of it. */
  configure(method: SecretMethod): Promise<ConfiguredClient>
}

/** How long discovery and keys are good for; unknown keys are looked for at once. */
const editionTtlMs = 10 * 60_000

const createEdition = (configure: ReturnType<typeof createConfigure>, fetch: CustomFetch): OauthEdition => {
  const configured = new Map<SecretMethod, Promise<ConfiguredClient>>()
  return {
    configure: (method) => {
      const known = configured.get(method)
      if (known !== undefined) return known
      const configuring = configure(fetch, method)
      configured.set(method, configuring)
      return configuring
    },
  }
}

/** The editions of one provider, one at a time; codes are exchanged once whatever edition looks at what they brought. */
export const createOauthEditions = (
  settings: OauthSettings,
  { clock, exchanged }: { readonly clock: Clock; readonly exchanged: ExchangedCodes },
) => {
  const configure = createConfigure(settings)
  let held: { readonly edition: OauthEdition; readonly begunAtMs: number } | undefined
  return {
    current: (): OauthEdition => {
      const now = clock.monotonic()
      if (held === undefined || now - held.begunAtMs >= editionTtlMs)
        held = { edition: createEdition(configure, createIssuerFetch(exchanged)), begunAtMs: now }
      return held.edition
    },
    /** It was of no use: whoever asks from now on gets a newer one. */
    discard: (edition: OauthEdition): void => {
      if (held?.edition === edition) held = undefined
    },
  }
}
