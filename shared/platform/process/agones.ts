import { type Agones, type AgonesDeps, createAgones } from './agones-reports.ts'

/** At most half of the Fleet's `health.periodSeconds`. */
const everyMs = 2000

/** Reports the node to Agones every two seconds until `close`. */
export const startAgones = (deps: AgonesDeps): Pick<Agones, 'close'> => {
  const agones = createAgones(deps)
  let step = agones.step()
  const timer = setInterval(() => {
    step = step.then(agones.step)
  }, everyMs)
  timer.unref()
  return {
    close: async () => {
      clearInterval(timer)
      await step
      await agones.close()
    },
  }
}
