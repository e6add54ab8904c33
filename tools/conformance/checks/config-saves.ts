import { Type } from '@sinclair/typebox'
import { check, feature, type Kit } from '../check.ts'
import {
  expectBody,
  expectEqual,
  expectEtag,
  expectHeader,
  expectProblem,
  expectStatus,
  expectThat,
  showAnswer,
} from '../report/expectations.ts'

const Saved = Type.Object({ name: Type.String(), etag: Type.String(), effect: Type.String() })
const Rehearsed = Type.Object({
  name: Type.String(),
  effect: Type.String(),
  changes: Type.Array(Type.Unknown()),
  impact: Type.Unknown(),
})
const Faults = Type.Object({
  errors: Type.Array(
    Type.Object({
      line: Type.Optional(Type.Integer({ minimum: 1 })),
      column: Type.Optional(Type.Integer({ minimum: 1 })),
      message: Type.String(),
    }),
    { minItems: 1 },
  ),
})

const read = async ({ ask, fixtures }: Kit) => {
  const { path } = await fixtures.config()
  const answer = await ask('administrator', `GET ${path}`)
  expectStatus(answer, 200)
  return { text: answer.text, etag: expectEtag(answer), answer }
}

/** The first text with a comment of the run at its end. */
const commented = async ({ fixtures }: Kit, remark: string): Promise<string> => {
  const { text, marker } = await fixtures.config()
  return `${text.replace(/\n*$/, '\n')}${marker} ${remark}\n`
}

const put = async ({ ask, fixtures }: Kit, yaml: string, headers: Record<string, string> = {}, query = '') =>
  ask('administrator', `PUT ${(await fixtures.config()).path}${query}`, { yaml, headers })

const broken: readonly (readonly [string, string])[] = [
  ['is not YAML', 'a: [1, 2\nb: }'],
  ['has a key twice', 'attacks: {}\nattacks: {}\n'],
  ['has an unknown key', 'conformance-key: 1\n'],
  ['is not a mapping', '- 1\n- 2\n'],
  [
    'has too many aliases',
    `a0: &a0 [x, x]\n${Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`).join('\n')}\n`,
  ],
]

export const configSaves = feature('Saved configs', [
  check(
    'administrator',
    'refuse an unknown permission or group of groups.yaml in the dry run, with its line',
    async ({ ask }) => {
      const texts = [
        ['groups:\n  - name: conformance\n    permissions: [zone.buld]\n', 'unknown-permission'],
        ['groups:\n  - name: conformance\n    permissions: []\n    inherits: [conformanc]\n', 'unknown-group'],
      ] as const
      for (const [yaml, slug] of texts) {
        const answer = await ask('administrator', 'PUT /api/admin/configs/groups.yaml?dryRun=true', { yaml })
        expectProblem(answer, 422, slug)
        expectThat(expectBody(answer, Faults).errors[0]?.line !== undefined, 'a line', () => showAnswer(answer))
      }
    },
  ),
  check('write', 'keep the text byte for byte, with a new tag and the previous text as a revision', async (kit) => {
    const before = await read(kit)
    const yaml = await commented(kit, 'first')
    const answer = await put(kit, yaml, { 'If-Match': before.etag })
    expectStatus(answer, 200)
    const { name, etag } = expectBody(answer, Saved)
    expectEqual('name', name, (await kit.fixtures.config()).name)
    const after = await read(kit)
    expectEqual('the text', after.text, yaml)
    expectEqual('the ETag', after.etag, `"${etag}"`)
    expectHeader(after.answer, 'X-Config-Source', 'data')
    const path = (await kit.fixtures.config()).path.replace('/configs/', '/config-revisions/')
    const listed = await kit.ask('administrator', `GET ${path}`)
    const [newest] = expectBody(listed, Type.Array(Type.Object({ revision: Type.String() })))
    const earlier = await kit.ask('administrator', `GET ${path}?revision=${encodeURIComponent(newest?.revision ?? '')}`)
    expectEqual('the newest revision', earlier.text, before.text)
  }),
  check('write', 'with a stale tag return 412 and write nothing', async (kit) => {
    const { etag } = await read(kit)
    const yaml = await commented(kit, 'second')
    expectStatus(await put(kit, yaml, { 'If-Match': etag }), 200)
    expectProblem(await put(kit, await commented(kit, 'stale'), { 'If-Match': etag }), 412, 'stale')
    expectProblem(await put(kit, await commented(kit, 'stale'), { 'If-Match': `W/${etag}` }), 412, 'stale')
    expectEqual('the text', (await read(kit)).text, yaml)
  }),
  check('write', 'of two concurrent saves with one tag return one 200 and one 412', async (kit) => {
    const { etag } = await read(kit)
    const texts = [await commented(kit, 'one'), await commented(kit, 'other')]
    const answers = await Promise.all(texts.map((yaml) => put(kit, yaml, { 'If-Match': etag })))
    expectEqual('the statuses', answers.map(({ status }) => status).toSorted(), [200, 412])
  }),
  check('write', 'accept text/yaml and text/plain too', async ({ ask, fixtures }) => {
    const { path, text, marker } = await fixtures.config()
    for (const mediaType of ['text/yaml', 'text/plain; charset=utf-8']) {
      const raw = `${text}\n${marker} ${mediaType}\n`
      expectStatus(await ask('administrator', `PUT ${path}`, { raw, headers: { 'Content-Type': mediaType } }), 200)
    }
  }),
  check('write', 'in a dry run report that a comment changes nothing, and write nothing', async (kit) => {
    const before = await read(kit)
    const answer = await put(kit, await commented(kit, 'rehearsed'), {}, '?dryRun=true')
    expectStatus(answer, 200)
    expectEqual('changes', expectBody(answer, Rehearsed).changes, [])
    expectEqual('the ETag', (await read(kit)).etag, before.etag)
  }),
  ...broken.map(([what, yaml]) =>
    check('write', `of a text that ${what} return 422 with each fault, dry run or not`, async (kit) => {
      const before = await read(kit)
      const { marker } = await kit.fixtures.config()
      for (const query of ['?dryRun=true', '']) {
        const answer = await put(kit, `${marker}\n${yaml}`, {}, query)
        expectProblem(answer, 422, 'invalid-config')
        const { errors } = expectBody(answer, Faults)
        expectThat(
          errors.every(({ line, column }) => line !== undefined && column !== undefined),
          'a line and a column for each',
          () => showAnswer(answer),
        )
      }
      expectEqual('the ETag', (await read(kit)).etag, before.etag)
    }),
  ),
  check('write', 'without a body return 400 or 422', async (kit) => {
    const before = await read(kit)
    const answer = await put(kit, '')
    expectThat([400, 422].includes(answer.status), '400 or 422', () => showAnswer(answer))
    expectEqual('the ETag', (await read(kit)).etag, before.etag)
  }),
])
