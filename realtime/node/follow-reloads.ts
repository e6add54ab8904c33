import type { Configs } from '../../shared/domain/configs/current/configs.ts'
import type { GameLoop } from './game-loop.ts'
import type { RealtimeServer } from './server.ts'

type FollowReloadsDeps = {
  readonly configs: Pick<Configs, 'get' | 'onReload'>
  readonly loop: Pick<GameLoop, 'refreshConfigs'>
  readonly server: Pick<RealtimeServer, 'settingsChanged'>
}

/** Applies reloaded configs to current and new players. Returns a function that stops it. */
export const followReloads = ({ configs, loop, server }: FollowReloadsDeps): (() => void) => {
  const refresh = (): void => {
    loop.refreshConfigs(configs.get('blocks.yaml'))
    server.settingsChanged()
  }
  const end = configs.onReload(refresh)
  // Configs may have been reloaded since the world was opened.
  refresh()
  return end
}
