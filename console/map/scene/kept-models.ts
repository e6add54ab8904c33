import { effect } from '@preact/signals'
import { session } from '../../state/session.ts'
import { createMapModel, type MapModel } from './map-model.ts'

const models = new Map<string, MapModel>()

// The next account in this tab must not see the drafts.
effect(() => {
  if (session.value.kind === 'out') models.clear()
})

/** Map state of each world while the user visits other pages. */
export const modelOf = (world: string): MapModel => {
  const model = models.get(world) ?? createMapModel()
  models.set(world, model)
  return model
}
