import type { CustomFetch } from 'openid-client'
import type { Clock } from '../../../kernel/clock.ts'
import { type ConfiguredClient, createConfigure, type SecretMethod } from './oauth-client.ts'
import { createIssuerFetch, type ExchangedCodes } from './oauth-fetch.ts'
import type { OauthSettings } from './oauth-settings.ts'

/** The metadata of the provider as read at one time, with the library configured by it. Sign-ins share it until it expires. */
export type OauthEdition = {
  /** Runs once for each method, even if it fails. */
  configure(method: SecretMethod): Promise<ConfiguredClient>
}

/** How long metadata and keys are cached. An unknown key causes a new read at once. */
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

/** The editions of one provider, one at a time. All share `exchanged`, so that no code is exchanged twice. */
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
    /** Drops an edition that did not work; later calls get a new one. */
    discard: (edition: OauthEdition): void => {
      if (held?.edition === edition) held = undefined
    },
  }
}
