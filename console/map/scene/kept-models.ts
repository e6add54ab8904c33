import { effect } from '@preact/signals'
import { session } from '../../state/session.ts'
import { createMapModel, type MapModel } from './map-model.ts'

const models = new Map<string, MapModel>()

// What was drawn is nobody else's.
effect(() => {
  if (session.value.kind === 'out') models.clear()
})

/** What is kept of a world's map while somebody looks at another page. */
export const modelOf = (world: string): MapModel => {
  const model = models.get(world) ?? createMapModel()
  models.set(world, model)
  return model
}
