import { type Answer, ask } from './api.ts'

export type Revision = { readonly revision: string; readonly savedAt: string; readonly savedBy: string }

/** Config actions of an administrator over the API; `token` must be verified. */
export const createConfigApi = (url: string, token: string) => ({
  read: async (name: string) => {
    const { status, text, headers } = await ask(url, `GET /api/admin/configs/${name}`, { token })
    return { status, text, etag: headers.get('etag') ?? '', source: headers.get('x-config-source') }
  },
  rehearse: (name: string, yaml: string): Promise<Answer> =>
    ask(url, `PUT /api/admin/configs/${name}?dryRun=true`, { token, yaml }),
  save: (name: string, yaml: string, etag?: string): Promise<Answer> =>
    ask(url, `PUT /api/admin/configs/${name}`, { token, yaml, headers: etag === undefined ? {} : { 'If-Match': etag } }),
  reload: (): Promise<Answer> => ask(url, 'POST /api/admin/reload', { token }),
  revisions: async (name: string): Promise<readonly Revision[]> => {
    const { status, text } = await ask(url, `GET /api/admin/config-revisions/${name}`, { token })
    if (status !== 200) throw new Error(`the revisions of ${name} answered ${status} ${text}`)
    return JSON.parse(text)
  },
  readRevision: async (name: string, { revision }: Revision): Promise<string> => {
    const path = `/api/admin/config-revisions/${name}?revision=${encodeURIComponent(revision)}`
    return (await ask(url, `GET ${path}`, { token })).text
  },
})

export type ConfigApi = ReturnType<typeof createConfigApi>
