import { joinLiveAccounts } from '../feeds/door/feed-accounts.ts'
import { createLiveConfigs, type LiveConfigs } from '../game/live-configs.ts'
import { type Admission, createAdmission } from '../game/players/admission.ts'
import { type Attachments, createAttachments } from '../game/players/attachments.ts'
import { createFailedSignInNotices } from '../game/players/failed-sign-in-notices.ts'
import { createLiveAccounts, type LiveAccounts } from '../game/players/live-accounts.ts'
import { createRefs, type Refs } from '../game/players/refs.ts'
import { createWarnings, type Warnings } from '../game/players/warnings.ts'
import type { WelcomeFacts } from '../game/players/welcome.ts'
import type { GameLoopDeps, GameParts } from './game-parts.ts'

/** How players come into a game, change while they are in it, and leave. */
export type GamePlayers = {
  readonly refs: Refs
  readonly configs: LiveConfigs
  readonly warnings: Warnings
  readonly attachments: Attachments
  readonly admission: Admission
  readonly accounts: LiveAccounts
}

export const createGamePlayers = (deps: GameLoopDeps, parts: GameParts): GamePlayers => {
  const { settings, serverVersion, clock } = deps
  const { game, entry, tickRate, feeds, worldFeeds } = parts
  const refs = createRefs()
  const configs = createLiveConfigs(game)
  const warnings = createWarnings({ ...deps, game })
  const failures = createFailedSignInNotices({ game, store: deps.store })
  const facts = (): WelcomeFacts => ({
    worldName: game.world.record.name,
    blocks: configs.blocks(),
    serverVersion,
    nowMs: clock.now(),
    tickRate,
    resumeSeconds: settings().resumeSeconds,
    viewRadiusMax: settings().viewRadius,
    motd: settings().motd,
  })
  const attachments = createAttachments({ game, refs, settings, facts, warnings, failures })
  const checks = { ...deps, places: game.world.places }
  const admission = createAdmission({ game, attachments, refs, checks, settings, entry })
  const players = createLiveAccounts({ game, admission, entry, warnings })
  const accounts = joinLiveAccounts([players, feeds.accounts, worldFeeds.accounts])
  return { refs, configs, warnings, attachments, admission, accounts }
}
