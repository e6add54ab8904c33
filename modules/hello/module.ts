import { defineModule } from 'gatehouse/module'

/** Greets players who join. */
export default defineModule({
  name: 'hello',
  api: 1,
  on: { joined: ({ player }) => player.tell(`Hello, ${player.name}.`) },
})
