import { once } from 'node:events'
import { createRandom } from '../random.ts'
import { attacks } from './attacks.ts'

/** One attack in a process of its own, so that it does not hold up the honest clients who are watched. Says that it is ready, begins at a line of its standard input, and ends as soon as that does. */
const run = async (): Promise<void> => {
  const plan: { attack: string; url: string; tokens: string[]; zoneId: string; given: Record<string, string>; seed: number } =
    JSON.parse(process.argv[2] ?? '{}')
  const attack = attacks.find(({ name }) => name === plan.attack)
  if (attack === undefined) throw new Error(`There is no attack ${plan.attack}.`)
  let isOver = false
  process.stdin.once('end', () => {
    isOver = true
    // What is under way may hang: the server owes an attacker nothing.
    setTimeout(() => process.exit(0), 500).unref()
  })
  process.stdout.write('ready\n')
  await once(process.stdin, 'data')
  process.stdin.resume()
  const { hostname, port } = new URL(plan.url)
  const random = createRandom(plan.seed, attack.name)
  await attack.run({ ...plan, host: hostname, port: Number(port), random, isOver: () => isOver })
  process.exit(0)
}

export const main = run()
