import { Type } from '@sinclair/typebox'
import { check, feature } from '../check.ts'
import { expectBody, expectEqual, expectThat, show } from '../report/expectations.ts'

const Names = Type.Array(Type.String())
const Group = Type.Object({ name: Type.String(), permissions: Names, inherits: Names, effective: Names })
const Groups = Type.Object({ groups: Type.Array(Group), defaultGroups: Names })

export const groups = feature('Groups', [
  check('administrator', 'have admin among them, which holds everything', async ({ ask }) => {
    const { groups: all } = expectBody(await ask('administrator', 'GET /api/admin/groups'), Groups)
    expectEqual('the rules of admin', all.find(({ name }) => name === 'admin')?.effective, ['*'])
  }),
  check('administrator', 'inherit groups that exist, and list their rules sorted, each once', async ({ ask }) => {
    const { groups: all, defaultGroups } = expectBody(await ask('administrator', 'GET /api/admin/groups'), Groups)
    const names = all.map(({ name }) => name)
    for (const { name, inherits, effective } of all) {
      const unknown = inherits.find((other) => !names.includes(other))
      expectThat(unknown === undefined, `groups that exist in ${name}`, () => String(unknown))
      expectEqual(`the rules of ${name}`, effective, [...new Set(effective)].toSorted())
    }
    const absent = defaultGroups.filter((name) => !names.includes(name))
    expectThat(absent.length === 0 || defaultGroups.includes('player'), 'default groups that exist', () => show(absent))
  }),
])
