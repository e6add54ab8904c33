import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { parseEnvironment } from '../../../../shared/platform/process/environment.ts'
import { printClaimLink } from '../../../../shared/services/print-claim-link.ts'
import { describeAddresses } from '../../../../shared/services/tell-start.ts'
import { silentLog } from '../../../support/time/silent-log.ts'

describe('the output of a start', () => {
  it('is quoted in docs/start.md word for word, except for the claim', async () => {
    const page = await readFile(new URL('../../../../docs/start.md', import.meta.url), 'utf8')
    const environment = parseEnvironment({}, 'all')
    let printed = describeAddresses(environment, { provider: 'local', local: { requirePassword: false } })
    await printClaimLink({ createClaim: async () => '…' }, environment.baseUrl, silentLog, (text) => {
      printed += text
    })
    expect(page).toContain(`\`\`\`\n${printed}\`\`\`\n`)
  })

  it('names the config file with its path', () => {
    const printed = describeAddresses(parseEnvironment({ DATA_DIR: '/srv/game' }, 'all'), {
      provider: 'local',
      local: { requirePassword: false },
    })
    expect(printed).toContain('  config   /srv/game/config/server.yaml\n')
    expect(printed).toContain('requirePassword: true in /srv/game/config/server.yaml')
  })

  it('names no email and warns of no missing password with an identity provider', () => {
    const printed = describeAddresses(parseEnvironment({}, 'all'), { provider: 'oauth', local: { requirePassword: false } })
    expect(printed).toContain('  terminal npm run play -- --url http://127.0.0.1:3000\n')
    expect(printed).not.toMatch(/email|password/)
  })
})
