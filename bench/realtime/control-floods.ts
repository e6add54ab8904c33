import type { Bench } from '../result.ts'
import { type Disturbance, measureByTurns } from './by-turns.ts'

const floods: Disturbance = { bench: 'control-floods', script: 'realtime/flood-load.ts', players: 20, name: 'floods' }

/**
 * Benchmarks 200 walkers, in turns alone and with 20 clients that send pings, pongs and empty fragments and reconnect whenever
 * they are closed. It cannot show floods from several addresses.
 */
export const controlFloods: Bench = {
  name: 'control-floods',
  run: async () => {
    const { results, rested } = await measureByTurns(floods)
    const opened = { bench: 'control-floods', figure: 'connections that the flooders made', unit: 'connections' }
    return [...results, { ...opened, value: rested.opened ?? 0 }]
  },
}
