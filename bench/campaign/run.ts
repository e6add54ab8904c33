import { asksForHelp } from '../../shared/platform/process/asks-for-help.ts'
import { describeUsage, parseCampaignArguments } from './campaign-arguments.ts'
import { campaigns } from './campaigns.ts'
import { runCampaign } from './run-campaign.ts'

if (asksForHelp(process.argv.slice(2))) {
  process.stdout.write(`${describeUsage(campaigns)}\n`)
  process.exit(0)
}
const parsed = parseCampaignArguments(process.argv.slice(2), campaigns)
if (parsed.ok) {
  const result = await runCampaign({ ...parsed.run, print: (line) => void process.stderr.write(`${line}\n`) })
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
  process.exit(result.findings.length > 0 ? 1 : 0)
}
process.stderr.write(`${parsed.reason}\n\n${describeUsage(campaigns)}\n`)
process.exit(2)
