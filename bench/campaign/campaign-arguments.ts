import { parseArgs } from 'node:util'
import type { Campaign } from './campaign.ts'
import type { CampaignRun } from './run-campaign.ts'
import type { StoreKind } from './store-kinds.ts'
import { storeKinds } from './store-kinds.ts'

export const describeUsage = (campaigns: readonly Campaign[]): string =>
  `Usage: npm run campaign -- NAME [--rounds N | --seconds N | --minutes N | --bots N] [--seed S] [--store embedded|redis|dynamodb] [--only PART] [--from I]

${campaigns.map(({ name, unit, amount }) => `  ${name.padEnd(8)} counts ${unit}; default ${amount}`).join('\n')}

  --minutes  ends the campaign after this time, whatever it counts; default 60
  --seed     the same seed makes the same choices; default 1
  --store    may be repeated; default all three in turn, each with its share of the rounds or minutes
  --only     may be repeated; only parts with this in their name: kinds of write, of input, or of attack
  --from     the first index, to reproduce one finding: --from 471 --rounds 1

Prints a line of JSON for each finding to standard error, and one object with all figures to standard output.
Exit status: 0 no findings, 1 findings, 2 wrong usage.`

type Parsed = { readonly ok: true; readonly run: Omit<CampaignRun, 'print'> } | { readonly ok: false; readonly reason: string }

const isStore = (text: string): text is StoreKind => storeKinds.some((kind) => kind === text)
const refuse = (reason: string): Parsed => ({ ok: false, reason })

const readFlags = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      minutes: { type: 'string' },
      seed: { type: 'string' },
      store: { type: 'string', multiple: true },
      only: { type: 'string', multiple: true },
      bots: { type: 'string' },
      from: { type: 'string' },
    },
  })

const minutesDefault = 60

/** The command line of `npm run campaign`. */
export const parseCampaignArguments = (args: readonly string[], campaigns: readonly Campaign[]): Parsed => {
  let flags: ReturnType<typeof readFlags>
  try {
    flags = readFlags(args)
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
  const { values, positionals } = flags
  const campaign = campaigns.find(({ name }) => name === positionals[0])
  if (campaign === undefined || positionals.length !== 1)
    return refuse(`Name one campaign: ${campaigns.map(({ name }) => name).join(', ')}.`)
  const stores = values.store ?? storeKinds
  if (!stores.every(isStore)) return refuse(`--store is one of ${storeKinds.join(', ')}.`)
  const given = { ...values, minutes: values.minutes ?? String(campaign.unit === 'minutes' ? campaign.amount : minutesDefault) }
  const numbers = [given.rounds, given.seconds, given.minutes, given.bots, given.seed, given.from].flatMap((text) => text ?? [])
  if (!numbers.every((text) => /^\d+(\.\d+)?$/.test(text))) return refuse('Amounts, seeds and indexes are numbers.')
  const amounts = { rounds: given.rounds, 'seconds for each attack': given.seconds, minutes: given.minutes, bots: given.bots }
  return {
    ok: true,
    run: {
      campaign,
      stores,
      only: values.only ?? [],
      seed: Number(given.seed ?? 1),
      from: Number(given.from ?? 0),
      minutes: Number(given.minutes),
      amount: Number(amounts[campaign.unit] ?? campaign.amount),
    },
  }
}
