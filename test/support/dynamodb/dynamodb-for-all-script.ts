import { findDynamoLauncher } from './dynamodb-launcher.ts'

/** Runs a DynamoDB where there is one to be had, prints its address, and ends it as soon as its own standard input ends: however whoever started it came to an end. */
const launched = await (await findDynamoLauncher())?.launch()
if (launched !== undefined) {
  const end = () => void launched.kill().then(() => process.exit())
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, end)
  process.stdin.once('end', end).resume()
  process.stdout.write(`${launched.endpoint}\n`)
}
