import { defineModule } from 'gatehouse/module'

const spin = (): void => {
  for (;;);
}
const fail = (): never => {
  throw new Error('broken on purpose')
}

/** Modules with one fault each. The campaign `modules` loads them too. */
export const faultyModules = [
  defineModule({ name: 'loops-in-tick', api: 1, on: { tick: spin } }),
  defineModule({ name: 'loops-in-timer', api: 1, on: { start: (_event, game) => game.every(200, spin) } }),
  defineModule({ name: 'loops-in-decide', api: 1, decide: { edit: spin } }),
  defineModule({ name: 'throws-in-tick', api: 1, on: { tick: fail } }),
  defineModule({ name: 'throws-in-start', api: 1, on: { start: fail, stop: fail, joined: fail, said: fail } }),
  defineModule({
    name: 'fills-timers',
    api: 1,
    on: {
      tick: (_event, game) => {
        for (let count = 0; count < 100; count += 1) game.every(1, () => undefined)
      },
    },
  }),
  defineModule({ name: 'rejects-later', api: 1, on: { said: (_event, game) => game.later(async () => fail(), fail, fail) } }),
  defineModule({
    name: 'floods',
    api: 1,
    on: {
      said: ({ player }) => {
        for (let count = 0; count < 1000; count += 1) player.tell('flood')
      },
    },
  }),
]
