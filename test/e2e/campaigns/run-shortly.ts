import type { Campaign, Finding } from '../../../bench/campaign/campaign.ts'
import { runCampaign } from '../../../bench/campaign/run-campaign.ts'
import type { StoreKind } from '../../../bench/campaign/store-kinds.ts'
import { showFigures } from '../support/figures.ts'

const seed = 20_261_122
const minutesMax = 2

/**
 * Runs a campaign for a short time with a fixed seed. Returns its findings without those about times, rates and memory, which it
 * only prints.
 */
export const runShortly = async (
  campaign: Campaign,
  store: StoreKind,
  { amount, minutes = minutesMax }: { readonly amount: number; readonly minutes?: number },
): Promise<{ readonly findings: readonly Finding[]; readonly figures: Readonly<Record<string, unknown>> }> => {
  const { findings, stores } = await runCampaign({
    campaign,
    stores: [store],
    seed,
    amount,
    minutes,
    from: 0,
    only: [],
    print: () => undefined,
  })
  showFigures(`${campaign.name} on ${store}`, { ...stores[store], measured: findings.filter(({ isMeasured }) => isMeasured) })
  return { findings: findings.filter(({ isMeasured }) => isMeasured !== true), figures: stores[store] ?? {} }
}
