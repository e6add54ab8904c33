const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Whether `text` has the shape of a token: a version 4 UUID in lower case (RFC 9562, section 5.4). */
export const isToken = (text: string): boolean => text.length === 36 && version4.test(text)
