import type { FuzzKind } from '../fuzz-kind.ts'
import { blowUp, mutateText, mutateValue } from '../mutate.ts'
import { oddNumber, oddText } from '../odd-values.ts'

/** Messages of an editor to the feed of a zone. */
export const feedMessages: FuzzKind = {
  name: 'feed-messages',
  weight: 5,
  make: (random) => {
    const block = () => ({
      x: random.int(-2, 17),
      y: random.int(-1, 201),
      z: random.int(-2, 17),
      type: random.pick(['stone', 'air', oddText(random)]),
    })
    const edits = Array.from({ length: random.int(0, 40) }, block)
    const message = random.pick<object>([
      { type: 'edit', ref: random.int(0, 1000), edits, ...(random.chance(0.5) && { partial: true }) },
      { type: 'resume', since: oddNumber(random) },
      { type: 'renew', token: oddText(random) },
      { type: oddText(random) },
    ])
    const text = random.chance(0.01)
      ? blowUp(random, message)
      : JSON.stringify(random.chance(0.6) ? mutateValue(random, message) : message)
    return { kind: random.chance(0.95) ? 'text' : 'binary', '?message': random.chance(0.2) ? mutateText(random, text) : text }
  },
  send: async ({ kind, '?message': message = '' }, { sockets, tokenOf, zoneId }) => {
    const purpose = { name: 'feed', path: `/api/admin/ws/instances/${zoneId}`, token: tokenOf('boss') }
    try {
      return { seen: await sockets.exchange(purpose, Buffer.from(message), kind === 'binary') }
    } catch (error) {
      // Another input may have deleted its zone or ended its token.
      const isRefused = /answered 40[134]/.test(String(error))
      return { seen: isRefused ? 'refused' : 'silent', fault: isRefused ? undefined : String(error) }
    }
  },
}
