import { startChild } from '../realtime/child.ts'
import { type Bench, median, round } from '../result.ts'

const rounds = 9
const targetMs = 50

const measure = async (who: 'gatehouse' | 'yaml'): Promise<number> => {
  const child = startChild('configs/read-configs.ts', [who])
  try {
    return await child.wait(({ ms }) => (typeof ms === 'number' ? ms : undefined))
  } finally {
    await child.stop()
  }
}

/**
 * Benchmarks reading and checking every shipped config in a new process, against the YAML library alone, in turns. It cannot show
 * texts of an operator, which must be parsed.
 */
export const configStart: Bench = {
  name: 'config-start',
  run: async () => {
    const ours: number[] = []
    const theirs: number[] = []
    for (let turn = 0; turn < rounds; turn += 1) {
      ours.push(await measure('gatehouse'))
      theirs.push(await measure('yaml'))
    }
    const [value, reference] = [median(ours), median(theirs)]
    return [
      {
        bench: 'config-start',
        figure: 'all configs read and checked at start',
        value: round(value, 1),
        unit: 'ms',
        reference: { name: 'the YAML library alone on the same texts', value: round(reference, 1) },
        ratio: round(value / reference, 2),
        target: `under ${targetMs}`,
        met: value < targetMs,
      },
    ]
  },
}
