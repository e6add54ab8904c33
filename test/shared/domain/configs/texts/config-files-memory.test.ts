import { describeConfigFiles } from '../../../../contracts/config-files-contract.ts'
import { createMemoryConfigFiles } from '../../../../support/configs/config-files-memory.ts'

describeConfigFiles('in memory', async (deps) => ({
  files: createMemoryConfigFiles(deps),
  dispose: async () => undefined,
}))
