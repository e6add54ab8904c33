import type { Kit } from '../check.ts'
import { expectStatus } from '../report/expectations.ts'
import type { Answer } from './http-client.ts'

/** Reads a config as the administrator. Throws Mismatch unless the answer is a 200. */
export const readConfig = async ({ ask }: Pick<Kit, 'ask'>, name: string): Promise<Answer> => {
  const answer = await ask('administrator', `GET /api/admin/configs/${name}`)
  expectStatus(answer, 200)
  return answer
}

/** All config files. */
export const configWhitelist: readonly string[] = [
  'blocks.yaml',
  'classes.yaml',
  'groups.yaml',
  'modules.yaml',
  'server.yaml',
  'skills/attacks.yaml',
  'skills/spells.yaml',
  'worldgen.yaml',
]
