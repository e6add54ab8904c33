import Sequencer from '@jest/test-sequencer'

/** Suites that start processes, browsers or tables; their files may be small. */
const slow = /[\\/]test[\\/](browser|e2e|infra[\\/](cloud|containers)|tools[\\/]migrate)[\\/]|dynamodb|redis|lmdb|-processes/

/**
 * Without durations of an earlier run, as in a fresh checkout, jest starts with the largest files. The last worker then ends
 * minutes after the others. This sequencer starts slow suites first, the largest of them before the others.
 */
export default class SlowFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests)
    if (sorted.some(({ duration }) => duration !== undefined)) return sorted
    const isSlow = ({ path }) => slow.test(path)
    return [...sorted.filter(isSlow), ...sorted.filter((test) => !isSlow(test))]
  }
}
