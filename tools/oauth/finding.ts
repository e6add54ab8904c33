/** What a check came upon: all is well, something to know or to look at, or something that keeps people from signing in. */
export type Finding = { readonly kind: 'ok' | 'note' | 'fault'; readonly text: string }

export const fine = (text: string): Finding => ({ kind: 'ok', text })
export const note = (text: string): Finding => ({ kind: 'note', text })
export const fault = (text: string): Finding => ({ kind: 'fault', text })
