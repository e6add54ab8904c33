import type { Campaign } from './campaign.ts'
import { hostile } from './hostile/hostile.ts'
import { kill9 } from './kill9/kill9.ts'
import { modules } from './modules/modules.ts'
import { soak } from './soak/soak.ts'

/** Every campaign; a new one is one file and one line here. */
export const campaigns: readonly Campaign[] = [kill9, hostile, modules, soak]
