import { join } from 'node:path'
import Sequencer from '@jest/test-sequencer'

/** The suites that take longest, in this order; see `GATEHOUSE_SUITE_TIMES` in docs/architecture/tests.md. */
const slowest = [
  'e2e/conformance/conformance-faults',
  'infra/containers/images',
  'tools/migrate/differences',
  'tools/generators',
  'browser/console',
  'browser/play',
  'infra/project/project',
  'browser/console-work',
  'browser/widths',
  'e2e/faults/paused-holder',
  'e2e/campaigns/hostile',
  'e2e/faults/restore-drill',
  'e2e/campaigns/kill9',
  'infra/cloud/template',
  'infra/cloud/access',
  'browser/console-configs',
  'infra/launch',
  'e2e/conformance/conformance',
  'e2e/faults/dynamodb-away',
  'shared/domain/worlds/store/dynamodb/chunk-store-dynamodb-crash',
  'browser/play-told',
  'e2e/world-cli-dynamodb',
  'infra/cloud/start-lambda',
  'browser/console-map',
  'browser/play-ways-in',
  'e2e/faults/clock-off',
  'e2e/nodes/nodes',
  'e2e/nodes/hand-over',
  'tools/help',
].map((name) => join('test', `${name}.test.ts`))

/** Suites that start processes, browsers or tables, or wait; their files may be small. */
const slow =
  /[\\/]test[\\/](browser|e2e|infra|tools[\\/]migrate)[\\/]|dynamodb|redis|lmdb|process|package|property|hash|fuzz|zone-watch/

/**
 * Without durations of an earlier run, as in a fresh checkout, jest starts with the largest files. The last worker then ends
 * minutes after the others. This sequencer starts the slowest suites first, then those that start programs, the largest of them
 * before the others.
 */
export default class SlowFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests)
    if (sorted.some(({ duration }) => duration !== undefined)) return sorted
    const rankOf = ({ path }) => {
      const rank = slowest.findIndex((name) => path.endsWith(name))
      if (rank >= 0) return rank
      return slow.test(path) ? slowest.length : slowest.length + 1
    }
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}
