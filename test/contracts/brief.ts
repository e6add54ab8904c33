import { it } from '@jest/globals'

type Case = typeof it

/**
 * Options of a contract. With `isBrief` it omits cases that cannot differ on this store. An example is a domain store on DynamoDB:
 * `Store` has a contract of its own there.
 */
export type ContractOptions = { readonly isBrief?: boolean }

/** Defines no test, neither by a call nor by `each`. */
const omit = Object.assign(() => undefined, { each: () => () => undefined }) as unknown as Case

/** `it`, or a function that defines no test. */
export const itUnless = (isOmitted: boolean): Case => (isOmitted ? omit : it)
