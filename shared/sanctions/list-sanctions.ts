import type { Clock } from '../kernel/clock.ts'
import { AppError } from '../kernel/errors.ts'
import { isUuid } from '../kernel/ids.ts'
import type { Store } from '../storage/store.ts'
import { cursorAfter } from '../storage/store-rules.ts'
import { accountPrefix, allPrefix, inForcePrefix } from './record-ids.ts'
import { isInForce, type Sanction, sanctionRecords } from './sanction.ts'
import type { SanctionQuery, SanctionService } from './sanction-service.ts'

const pageLimit = 200

const encodeCursor = (id: string): string => Buffer.from(id).toString('base64url')
const decodeCursor = (cursor: string): string => {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (isUuid(id) && encodeCursor(id) === cursor) return id
  throw new AppError('invalid', 'bad-request', 'The cursor is not one that the list returned.', {
    errors: [{ pointer: '/cursor', message: 'must be the nextCursor of the page before' }],
  })
}

const matches = (sanction: Sanction, { email, kind, active }: SanctionQuery, nowMs: number): boolean =>
  (email === undefined || sanction.email === email) &&
  (kind === undefined || sanction.kind === kind) &&
  (active === undefined || isInForce(sanction, nowMs) === active)

const prefixFor = ({ email, active }: SanctionQuery): string => {
  if (email !== undefined) return accountPrefix(email)
  return active === true ? inForcePrefix : allPrefix
}

/** `SanctionService.listSanctions`. */
export const createSanctionListing =
  ({
    store,
    clock,
  }: {
    readonly store: Pick<Store, 'list'>
    readonly clock: Pick<Clock, 'now'>
  }): SanctionService['listSanctions'] =>
  async (query) => {
    const prefix = prefixFor(query)
    const { limit, cursor } = query
    const found: Sanction[] = []
    let storeCursor = cursor === undefined ? undefined : cursorAfter(prefix + decodeCursor(cursor))
    do {
      const options = { prefix, limit: pageLimit, order: 'descending' } as const
      const page = await store.list(sanctionRecords, { ...options, ...(storeCursor && { cursor: storeCursor }) })
      found.push(...page.records.map(({ value }) => value).filter((one) => matches(one, query, clock.now())))
      storeCursor = page.nextCursor
    } while (storeCursor !== undefined && found.length <= limit)
    const sanctions = found.slice(0, limit)
    const last = sanctions.at(-1)
    return found.length > limit && last !== undefined ? { sanctions, nextCursor: encodeCursor(last.id) } : { sanctions }
  }
