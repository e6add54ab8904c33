/** The highest accepted cost. A higher one, written into the accounts by hand, would block a thread for minutes. */
const costMax = 16
const costMin = 4
const length = 60

const form = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/
const beginning = /^\$2[aby]\$\d\d\$/

/** The cost of a bcrypt hash; undefined if it is out of bounds or the text is not a bcrypt hash. */
export const findHashCost = (hash: string): number | undefined => {
  const cost = Number(form.exec(hash)?.[1])
  return cost >= costMin && cost <= costMax ? cost : undefined
}

/** Whether any password can match `hash`: it is a bcrypt hash with a cost within bounds. */
export const isPasswordHash = (hash: string): boolean => findHashCost(hash) !== undefined

/** The reason why no password can match `hash`; undefined if one can. Reveals nothing of the hash but its cost. */
export const describeHashFault = (hash: string): string | undefined => {
  if (isPasswordHash(hash)) return undefined
  const cost = form.exec(hash)?.[1]
  if (cost !== undefined) return `its cost is ${Number(cost)}, not ${costMin} to ${costMax}`
  if (!beginning.test(hash)) return 'it is not a bcrypt hash'
  if (hash.length !== length) return `it has ${hash.length} characters, and a bcrypt hash has ${length}`
  return 'it has a character that is not valid in a bcrypt hash'
}
