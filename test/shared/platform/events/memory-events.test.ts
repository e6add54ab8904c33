import { createMemoryEventBus } from '../../../../shared/platform/events/memory-events.ts'
import { eventBusContract } from '../../../contracts/event-bus-contract.ts'

eventBusContract('memory', async (log) => {
  const bus = createMemoryEventBus({ log })
  return { here: bus, there: bus, close: () => bus.close() }
})
