import type { Bench } from '../result.ts'
import { type Disturbance, measureByTurns } from './by-turns.ts'

const floods: Disturbance = { bench: 'control-floods', script: 'realtime/flood-load.ts', players: 20, name: 'floods' }

/**
 * 200 walkers, by turns alone and beside 20 clients that send pings, pongs and empty fragments and come back whenever they are
 * thrown out. It cannot show floods from more addresses than one.
 */
export const controlFloods: Bench = {
  name: 'control-floods',
  run: async () => {
    const { results, rested } = await measureByTurns(floods)
    const opened = { bench: 'control-floods', figure: 'connections that the flooders made', unit: 'connections' }
    return [...results, { ...opened, value: rested.opened ?? 0 }]
  },
}
