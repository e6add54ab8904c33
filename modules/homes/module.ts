import { Type } from '@sinclair/typebox'
import { defineModule } from 'gatehouse/module'

const Place = Type.Object({ x: Type.Number(), y: Type.Number(), z: Type.Number(), yaw: Type.Number(), pitch: Type.Number() })

/** A home for each player: `/sethome` stores the place, `/home` goes there. */
export default defineModule({
  name: 'homes',
  api: 1,
  declare: { player: { schema: Type.Object({ home: Type.Optional(Place) }) } },
  commands: {
    sethome: {
      description: 'Makes this place your home.',
      forms: [[]],
      permission: 'none',
      run: (caller) => {
        if (caller === undefined) return { refuse: 'Only players have a home.' }
        caller.data.home = { ...caller.place }
        return 'This is your home now. Go back with /home.'
      },
    },
    home: {
      description: 'Takes you home.',
      forms: [[]],
      permission: 'none',
      run: (caller) => {
        const home = caller?.data.home
        if (caller === undefined || home === undefined)
          return { refuse: 'You have no home yet. Use /sethome at a place you like.' }
        caller.teleport(home)
        return 'Welcome home.'
      },
    },
  },
})
