import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { describeAddresses, describeClaim } from '../../../shared/process/offer-claim.ts'
import { parseEnvironment } from '../../../shared/services/environment.ts'

describe('what a start prints', () => {
  it('stands in the README word for word, the claim aside', async () => {
    const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8')
    const environment = parseEnvironment({}, 'all')
    const printed = describeAddresses(environment, false) + describeClaim(environment.baseUrl, '…')
    expect(readme).toContain(`\`\`\`\n${printed}\`\`\`\n`)
  })
})
