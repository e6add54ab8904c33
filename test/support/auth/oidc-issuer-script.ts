import { createInterface } from 'node:readline'
import { openOidcIssuer } from './oidc-issuer.ts'

/** `<redirectUri>…`: a certified issuer in a process of its own. Says its origin, then takes a person as JSON a line and says `now <sub>`; ends with its input. */
const issuer = await openOidcIssuer(process.argv.slice(2))
process.stdout.write(`${issuer.origin}\n`)
for await (const line of createInterface({ input: process.stdin })) {
  const person = JSON.parse(line)
  issuer.signsInAs(person)
  process.stdout.write(`now ${person.sub}\n`)
}
await issuer.close()
