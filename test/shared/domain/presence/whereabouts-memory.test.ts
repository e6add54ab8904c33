import { createMemoryWhereabouts } from '../../../../shared/domain/presence/whereabouts.ts'
import { whereaboutsContract } from '../../../contracts/whereabouts-contract.ts'

whereaboutsContract('memory', async () => ({ whereabouts: createMemoryWhereabouts(), close: async () => undefined }))
