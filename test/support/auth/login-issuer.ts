import { fileURLToPath } from 'node:url'
import { nextLine, startScript } from '../processes/child-process.ts'
import { findFreePort } from '../processes/free-port.ts'

const script = fileURLToPath(new URL('./login-issuer-script.ts', import.meta.url))

/** An identity provider with a login form in its own process. It can be stopped and restarted with other keys. */
export const startLoginIssuer = async (redirectUris: readonly string[]) => {
  const port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  const start = async (kid: string) => {
    const child = startScript(script, [String(port), kid, ...redirectUris])
    // Warnings of the library come first.
    while ((await nextLine(child)) !== 'listening');
    return child
  }
  let child = await start('first')
  const stop = async (): Promise<void> => {
    child.process.kill('SIGKILL')
    await child.ended
  }
  return {
    origin,
    /** Stops it without warning. */
    stop,
    /** Restarts it at the same address, without its sessions and with another key. */
    restart: async (kid: string): Promise<void> => {
      await stop()
      child = await start(kid)
    },
  }
}

export type LoginIssuer = Awaited<ReturnType<typeof startLoginIssuer>>
