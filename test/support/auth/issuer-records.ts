import type { AdapterFactory, AdapterPayload } from 'oidc-provider'

/** The records of an issuer, without a limit: the library's own memory drops records beyond a thousand. */
export const createIssuerRecords = (): AdapterFactory => {
  const records = new Map<string, AdapterPayload>()
  return (model) => {
    const keyOf = (id: string) => `${model} ${id}`
    const findBy = (field: 'uid' | 'userCode', value: string) =>
      [...records].find(([key, payload]) => key.startsWith(`${model} `) && payload[field] === value)?.[1]
    return {
      upsert: async (id, payload) => {
        records.set(keyOf(id), payload)
      },
      find: async (id) => records.get(keyOf(id)),
      findByUid: async (uid) => findBy('uid', uid),
      findByUserCode: async (userCode) => findBy('userCode', userCode),
      consume: async (id) => {
        const payload = records.get(keyOf(id))
        if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000)
      },
      destroy: async (id) => {
        records.delete(keyOf(id))
      },
      revokeByGrantId: async (grantId) => {
        for (const [key, payload] of records) if (payload.grantId === grantId) records.delete(key)
      },
    }
  }
}
