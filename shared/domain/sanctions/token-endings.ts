import type { Log } from '../../kernel/log.ts'
import type { TokenStore } from '../tokens/tokens.ts'

const againMs = 1_000

/** Ends the tokens of banned accounts, and retries while the token store is away. Until then they are refused one by one. */
export const createTokenEndings = ({
  tokens,
  log,
}: {
  readonly tokens: Pick<TokenStore, 'endAccount'>
  readonly log: Log
}): ((playerId: string) => Promise<void>) => {
  const pending = new Set<string>()
  let isToTryAgain = false

  const tryOne = async (playerId: string): Promise<void> => {
    try {
      await tokens.endAccount(playerId)
      pending.delete(playerId)
    } catch (error) {
      if (!pending.has(playerId))
        log.warn(
          { err: error, playerId },
          'tokens of a banned account are not ended yet; they are refused, and ending them is retried',
        )
      pending.add(playerId)
      if (isToTryAgain) return
      isToTryAgain = true
      setTimeout(() => {
        isToTryAgain = false
        for (const one of [...pending]) void tryOne(one)
      }, againMs).unref()
    }
  }
  return tryOne
}
