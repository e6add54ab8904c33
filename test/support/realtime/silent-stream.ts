import { Duplex } from 'node:stream'

/** A stream that accepts all writes and reads nothing; tests emit incoming data. */
export const silentStream = (): Duplex => new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() })
