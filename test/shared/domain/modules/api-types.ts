import { Type } from '@sinclair/typebox'
import { defineModule } from '../../../../shared/domain/modules/api.ts'

export const shop = defineModule({
  name: 'shop',
  api: 1,
  declare: {
    settings: Type.Object({ welcome: Type.String({ default: 'Hello' }) }),
    player: {
      schema: Type.Object({ coins: Type.Integer({ default: 10 }) }),
      version: 2,
      migrate: [(old: { gold: number }) => ({ coins: old.gold })],
    },
    state: Type.Object({ sold: Type.Integer({ default: 0 }) }),
    records: {
      sales: { schema: Type.Object({ item: Type.String(), by: Type.String() }) },
      stock: { schema: Type.Object({ count: Type.Integer() }) },
    },
    messages: {
      buy: {
        params: Type.Object({ item: Type.String(), count: Type.Integer({ minimum: 1 }) }),
        reply: Type.Object({ coins: Type.Integer() }),
      },
      wave: { params: Type.Object({}) },
      balance: { params: Type.Object({}), reply: Type.Object({ coins: Type.Integer() }), http: true },
    },
    pushes: { coins: Type.Object({ coins: Type.Integer() }) },
    permissions: { 'module.shop.give': 'Give coins to a player.' },
  },
  decide: {
    chat: (event) => {
      if (event.text.includes('spam') && !event.player.may('module.shop.spam')) return { refuse: 'Not here.' }
      event.text = event.text.trim()
      return undefined
    },
    edit: ({ changes, player }, game) => {
      // @ts-expect-error the world is read-only in a decision
      game.world.edit([])
      // @ts-expect-error a decision has no effects
      player.tell('Hello.')
      // @ts-expect-error a decision changes no data
      player.data.coins = 0
      return changes.some((change) => game.world.zoneAt(change)?.name === 'Market')
        ? { refuse: 'The market stays as it is.' }
        : undefined
    },
    // @ts-expect-error handlers run within a tick and are never async
    join: async () => undefined,
  },
  on: {
    start: (_event, game) =>
      game.later(
        () => game.records.sales.list({ limit: 10 }),
        ({ records }) => game.log.info('Sales.', { items: records.map(({ value }) => value.item) }),
      ),
    joined: ({ player }, { settings }) => player.tell(`${settings.welcome}, ${player.name}: ${player.data.coins} coins.`),
    settingsChanged: ({ before }, { settings }) => before.welcome === settings.welcome,
    event: ({ name, body }, game) => game.log.info(name, { body }),
    // @ts-expect-error handlers run within a tick and are never async
    tick: async () => undefined,
  },
  receive: {
    buy: (player, { item, count }, game) => {
      if (player.data.coins < count) return { refuse: 'Not enough coins.' }
      player.data.coins -= count
      game.state.sold += count
      return game.later(
        () => game.records.sales.put(`${game.time.tick}`, { item, by: player.id }),
        () => {
          player.push('coins', { coins: player.data.coins })
          return { coins: player.data.coins }
        },
      )
    },
    wave: (player, _params, game) => {
      player.tell(`You wave at ${player.place.x.toFixed()}.`)
      // @ts-expect-error the push has a number
      player.push('coins', { coins: '1' })
      // @ts-expect-error the module has no such push
      player.push('gold', {})
      game.later(
        () =>
          game.commit([
            { record: 'sales', id: '1', value: { item: 'apple', by: player.id }, ifVersion: null },
            { record: 'stock', id: 'apple', delete: true },
          ]),
        () => undefined,
      )
      // @ts-expect-error the value has the schema of its record
      void game.commit([{ record: 'stock', id: 'apple', value: { item: 'apple' } }])
    },
    balance: (player) => {
      // @ts-expect-error a message over HTTP has a sender without a place
      player.place.x.toFixed()
      return { coins: player.data.coins }
    },
  },
  commands: {
    coins: {
      description: 'Shows your coins.',
      forms: [[]],
      permission: 'none',
      run: (caller) => `${caller?.data.coins ?? 0}`,
    },
    give: {
      description: 'Gives coins to a player.',
      forms: [
        [
          { name: 'player', kind: 'player' },
          { name: 'count', kind: 'number', optional: true },
        ],
      ],
      permission: 'module.shop.give',
      run: (_caller, { player, count }, game) => {
        const target = game.players.find(player)
        if (target === undefined) return { refuse: 'This player is not here.' }
        target.data.coins += count ?? 1
        return 'Done.'
      },
    },
    price: {
      description: 'Shows or sets a price.',
      forms: [
        [{ name: 'item', kind: 'word' }],
        [
          { name: 'item', kind: 'word' },
          { name: 'price', kind: 'number' },
        ],
      ],
      permission: 'none',
      run: (_caller, args) => {
        const price: number | undefined = args.price
        // @ts-expect-error the command has no such argument
        void args.cost
        return `${args.item.toUpperCase()}: ${price ?? 'free'}`
      },
    },
  },
  schedules: { rain: { cron: '*/5 * * * *', run: (game) => game.emit('rain', {}) } },
  budget: { tickMs: 2, keep: true },
})

export const hello = defineModule({
  name: 'hello',
  api: 1,
  on: { joined: ({ player }) => player.tell(`Hello, ${player.name}.`) },
})

// @ts-expect-error receive is missing a handler
defineModule({ name: 'x', api: 1, declare: { messages: { a: { params: Type.Object({}) } } }, receive: {} })

defineModule({
  name: 'y',
  api: 1,
  declare: { messages: { a: { params: Type.Object({}), reply: Type.Object({ n: Type.Number() }) } } },
  receive: {
    // @ts-expect-error handlers run within a tick and are never async
    a: async () => ({ n: 1 }),
  },
})

defineModule({
  name: 'z',
  api: 1,
  schedules: {
    // @ts-expect-error handlers run within a tick and are never async
    late: { cron: '0 0 * * *', run: async () => undefined },
  },
})

// @ts-expect-error uses of things in the world are not available yet
defineModule({ name: 'u', api: 1, decide: { use: () => undefined } })

// Declarations without messages need no handlers for them.
defineModule({
  name: 'visits',
  api: 1,
  declare: { player: { schema: Type.Object({ visits: Type.Integer({ default: 0 }) }) } },
  on: {
    joined: ({ player }) => {
      player.data.visits += 1
    },
  },
})
