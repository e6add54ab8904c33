import { findNearName } from '../../kernel/find-near-name.ts'

const listedMax = 10
const beginning = 'Unknown group '

/** Whether a message is one of `describeUnknownGroup`. */
export const saysUnknownGroup = (message: string): boolean => message.startsWith(beginning)

/** A message that the group is unknown, with a similar name from `known` or a list of them. */
export const describeUnknownGroup = (name: string, known: readonly string[]): string => {
  const nearest = findNearName(name, known)
  if (nearest !== undefined) return `${beginning}\`${name}\`. Did you mean \`${nearest}\`?`
  const listed = known.slice(0, listedMax).join(', ')
  return `${beginning}\`${name}\`. Known groups: ${listed}${known.length > listedMax ? ', …' : ''}.`
}
