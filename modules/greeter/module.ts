import { Type } from '@sinclair/typebox'
import { defineModule } from 'gatehouse/module'

/** Greets players who join, and counts their visits. */
export default defineModule({
  name: 'greeter',
  api: 1,
  declare: {
    settings: Type.Object({ welcome: Type.String({ default: 'Welcome' }) }),
    player: { schema: Type.Object({ visits: Type.Integer({ default: 0, minimum: 0 }) }) },
  },
  on: {
    joined: ({ player, isResumed }, { settings }) => {
      // A player whose connection came back has not left.
      if (isResumed) return
      player.data.visits += 1
      const { visits } = player.data
      player.tell(
        visits === 1 ? `${settings.welcome}, ${player.name}.` : `${settings.welcome} back, ${player.name}: visit ${visits}.`,
      )
    },
  },
})
