/** The result of a check: it passed, there is something to know, or a fault prevents sign-ins. */
export type Finding = { readonly kind: 'ok' | 'note' | 'fault'; readonly text: string }

export const fine = (text: string): Finding => ({ kind: 'ok', text })
export const note = (text: string): Finding => ({ kind: 'note', text })
export const fault = (text: string): Finding => ({ kind: 'fault', text })
