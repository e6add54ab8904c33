import { Duplex } from 'node:stream'

/** A stream that takes everything and gives nothing; tests emit what arrives. */
export const silentStream = (): Duplex => new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() })
