import { findDynamoLauncher } from './dynamodb-launcher.ts'

/**
 * Runs a DynamoDB if possible, and prints its address. It ends with its standard input, so that even a killed parent leaves none.
 */
const launched = await (await findDynamoLauncher())?.launch()
if (launched !== undefined) {
  const end = () => void launched.kill().then(() => process.exit())
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, end)
  process.stdin.once('end', end).resume()
  process.stdout.write(`${launched.endpoint}\n`)
}
