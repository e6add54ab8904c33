import { createMeasure, type MeasureDeps } from '../../platform/metrics/measure-operation.ts'
import type { TokenStore } from './tokens.ts'

export const measureTokenStore = (tokens: TokenStore, deps: MeasureDeps): TokenStore => {
  const measure = createMeasure('tokens', deps)
  return {
    issue: (grant) => measure('issue', () => tokens.issue(grant)),
    find: (token) => measure('find', () => tokens.find(token)),
    revoke: (token) => measure('revoke', () => tokens.revoke(token)),
    revokeSignIn: (signIn) => measure('revokeSignIn', () => tokens.revokeSignIn(signIn)),
    endAccount: (playerId) => measure('endAccount', () => tokens.endAccount(playerId)),
    revokeAccount: (playerId, except) => measure('revokeAccount', () => tokens.revokeAccount(playerId, except)),
    revokedSince: (sinceMs) => measure('revokedSince', () => tokens.revokedSince(sinceMs)),
    putOnce: (key, value, ttlSeconds) => measure('putOnce', () => tokens.putOnce(key, value, ttlSeconds)),
    findOnce: (key) => measure('findOnce', () => tokens.findOnce(key)),
    takeOnce: (key) => measure('takeOnce', () => tokens.takeOnce(key)),
    ping: () => measure('ping', () => tokens.ping()),
    close: tokens.close,
  }
}
