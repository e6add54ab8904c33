import { findDynamoLauncher } from './dynamodb-launcher.ts'

/** Runs a DynamoDB where there is one, and prints its address. Ends it once its own standard input ends, so even a killed parent leaves none. */
const launched = await (await findDynamoLauncher())?.launch()
if (launched !== undefined) {
  const end = () => void launched.kill().then(() => process.exit())
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, end)
  process.stdin.once('end', end).resume()
  process.stdout.write(`${launched.endpoint}\n`)
}
