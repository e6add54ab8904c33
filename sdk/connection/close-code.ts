/**
 * The codes with which a server closes a connection to the game; `docs/protocol-notes.md` has what to do for each. 1006 is a lost
 * connection. A newer server may send others.
 */
export type CloseCode =
  | (1000 | 1001 | 1002 | 1006 | 1007 | 1008 | 1009 | 1013 | 4001 | 4002 | 4003 | 4008 | 4029)
  | (number & Record<never, never>)
