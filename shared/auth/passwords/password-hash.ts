/** Beyond it one hash, written into the accounts by hand, would hold a thread for minutes. */
const costMax = 16

const form = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/

/** The cost of a bcrypt hash that is worth a thread; undefined for everything else. */
export const findHashCost = (hash: string): number | undefined => {
  const cost = Number(form.exec(hash)?.[1])
  return cost >= 4 && cost <= costMax ? cost : undefined
}

/** Whether a password can match `hash` at all: whether it is bcrypt's, of a cost that is worth a thread. */
export const isPasswordHash = (hash: string): boolean => findHashCost(hash) !== undefined
