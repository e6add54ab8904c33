import { createInterface } from 'node:readline'
import { openOidcIssuer } from './oidc-issuer.ts'

/**
 * `<redirectUri>…`: a certified issuer in its own process. It prints its origin, then reads a person as JSON per line and prints
 * `now <sub>`. It ends with its input.
 */
const issuer = await openOidcIssuer(process.argv.slice(2))
process.stdout.write(`${issuer.origin}\n`)
for await (const line of createInterface({ input: process.stdin })) {
  const person = JSON.parse(line)
  issuer.signsInAs(person)
  process.stdout.write(`now ${person.sub}\n`)
}
await issuer.close()
