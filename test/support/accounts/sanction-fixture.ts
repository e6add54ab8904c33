import type { Actor } from '../../../shared/domain/accounts/actor.ts'
import { followSanctions } from '../../../shared/domain/sanctions/active/follow-sanctions.ts'
import { createSanctionService } from '../../../shared/domain/sanctions/sanction-service.ts'
import type { EventBus } from '../../../shared/platform/events/event-bus.ts'
import type { Store } from '../../../shared/platform/storage/store.ts'
import { createAccountFixture, operator } from './account-fixture.ts'
import { openApiTokens } from './sanctions-in-memory.ts'

const groups = {
  groups: [
    { name: 'player', permissions: ['world.build'] },
    { name: 'moderator', permissions: ['admin.sanctions.read', 'admin.sanctions.write'], inherits: ['player'] },
  ],
  defaultGroups: ['player'],
}

/** Processes with sanctions on one store, with the accounts boss (admin), mod (moderator) and ada (player). */
export const createSanctionFixture = async (store: Store) => {
  const fixture = await createAccountFixture(groups)
  const { permissions, accountStore } = fixture
  const people = {
    boss: await fixture.plant('boss@example.com', { groups: ['admin'], passwordHash: `$2b$04$${'x'.repeat(53)}` }),
    mod: await fixture.plant('mod@example.com', { groups: ['moderator'] }),
    ada: await fixture.plant('ada@example.com'),
  }
  const actorOf = (name: keyof typeof people): Actor => {
    const { email, playerId, displayName, groups: own } = people[name]
    return { ...operator, email, playerId, displayName, via: 'http', rules: permissions.rulesFor(own) }
  }
  const closers: (() => void)[] = []
  /** Another process, which receives events of the others by `events`. */
  const startProcess = async (events: EventBus = fixture.events, pollMs = 60_000) => {
    const inForce = followSanctions({ ...fixture, store, events })
    await inForce.start(pollMs)
    closers.push(inForce.close)
    const apiTokens = openApiTokens({ ...fixture, store })
    return { inForce, apiTokens, sanctions: createSanctionService({ ...fixture, events, store, apiTokens, inForce }) }
  }
  return {
    ...fixture,
    accountStore,
    store,
    people,
    actorOf,
    startProcess,
    close: async () => {
      for (const close of closers) close()
      await fixture.close()
    },
  }
}
