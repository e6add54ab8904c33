import { createMemoryConfigFiles } from '../../../../../shared/domain/configs/texts/config-files-memory.ts'
import { describeConfigFiles } from '../../../../contracts/config-files-contract.ts'

describeConfigFiles('in memory', async (deps) => ({
  files: createMemoryConfigFiles(deps),
  dispose: async () => undefined,
}))
