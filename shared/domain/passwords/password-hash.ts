/** Beyond it one hash, written into the accounts by hand, would hold a thread for minutes. */
const costMax = 16
const costMin = 4
const length = 60

const form = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/
const beginning = /^\$2[aby]\$\d\d\$/

/** The cost of a bcrypt hash that is worth a thread; undefined for everything else. */
export const findHashCost = (hash: string): number | undefined => {
  const cost = Number(form.exec(hash)?.[1])
  return cost >= costMin && cost <= costMax ? cost : undefined
}

/** Whether a password can match `hash` at all: whether it is bcrypt's, of a cost that is worth a thread. */
export const isPasswordHash = (hash: string): boolean => findHashCost(hash) !== undefined

/** Why no password can match `hash`, without anything of the hash but its cost; undefined where one can. */
export const describeHashFault = (hash: string): string | undefined => {
  if (isPasswordHash(hash)) return undefined
  const cost = form.exec(hash)?.[1]
  if (cost !== undefined) return `its cost is ${Number(cost)}, not ${costMin} to ${costMax}`
  if (!beginning.test(hash)) return 'it is not a bcrypt hash'
  if (hash.length !== length) return `it has ${hash.length} characters, and a bcrypt hash has ${length}`
  return 'it has a character that no bcrypt hash has'
}
