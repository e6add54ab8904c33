import type { Campaign, Figures, Finding, Plan } from './campaign.ts'
import { campaignConfig, type House, openHouse } from './house/house.ts'
import type { StoreKind } from './store-kinds.ts'

export type CampaignRun = {
  readonly campaign: Campaign
  readonly stores: readonly StoreKind[]
  readonly seed: number
  readonly amount: number
  readonly minutes: number
  readonly from: number
  readonly only: readonly string[]
  /** Prints a line of JSON for each finding, and one for each note. */
  readonly print: (line: string) => void
}

export type CampaignResult = {
  readonly campaign: string
  readonly seed: number
  readonly [unit: string]: unknown
  readonly stores: Readonly<Partial<Record<StoreKind, Figures & { readonly seconds: number }>>>
  readonly findings: readonly (Finding & { readonly store: StoreKind; readonly seed: number })[]
}

/** The limit for complete findings; later ones are only counted. */
const findingsMax = 200

/** Runs a campaign on each store in turn, each with its share of the amount and of the time, on its own servers. */
export const runCampaign = async (asked: CampaignRun): Promise<CampaignResult> => {
  const { campaign, stores, seed, print } = asked
  const findings: (Finding & { readonly store: StoreKind; readonly seed: number })[] = []
  const figures: Partial<Record<StoreKind, Figures & { readonly seconds: number }>> = {}
  const endsAtMs = performance.now() + asked.minutes * 60_000
  for (const [i, store] of stores.entries()) {
    const beganMs = performance.now()
    const shareMs = (endsAtMs - beganMs) / (stores.length - i)
    const isShared = campaign.unit === 'rounds' || campaign.unit === 'minutes'
    const amount = isShared ? Math.ceil(asked.amount / stores.length) : asked.amount
    const plan: Plan = { seed, amount, endsAtMs: beganMs + shareMs, from: asked.from, only: asked.only }
    const finding = (one: Finding): void => {
      print(JSON.stringify({ finding: one.what, campaign: campaign.name, store, seed, ...one }))
      findings.push({ ...one, store, seed })
    }
    const note = (text: string): void => print(JSON.stringify({ note: text, campaign: campaign.name }))
    let house: House | undefined
    try {
      house = await openHouse(store, campaign.serverConfig ?? campaignConfig)
      const result = await campaign.run(house, plan, { finding, note })
      figures[store] = { ...result, seconds: Math.round((performance.now() - beganMs) / 1000) }
    } catch (error) {
      finding({
        what: 'the campaign runs to its end',
        index: -1,
        detail: { error: error instanceof Error ? String(error.stack) : String(error) },
      })
    } finally {
      await house?.close()
    }
  }
  const more = findings.length > findingsMax ? { findingsInAll: findings.length } : {}
  return { campaign: campaign.name, seed, ...more, stores: figures, findings: findings.slice(0, findingsMax) }
}
