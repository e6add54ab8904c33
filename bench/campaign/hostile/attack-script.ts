import { once } from 'node:events'
import { createRandom } from '../random.ts'
import { attacks } from './attacks.ts'

/**
 * Runs one attack in its own process, so that it does not delay the honest clients. It prints that it is ready, starts at a line
 * of its standard input, and ends with that input.
 */
const run = async (): Promise<void> => {
  const plan: { attack: string; url: string; tokens: string[]; zoneId: string; given: Record<string, string>; seed: number } =
    JSON.parse(process.argv[2] ?? '{}')
  const attack = attacks.find(({ name }) => name === plan.attack)
  if (attack === undefined) throw new Error(`There is no attack ${plan.attack}.`)
  let isOver = false
  process.stdin.once('end', () => {
    isOver = true
    // Pending work may hang: the server does not have to answer an attacker.
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
