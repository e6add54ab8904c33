/** The part of Trusted Types that is used; only Chromium has it. */
type TrustedTypesHere = {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

const trustedTypes = (globalThis as { readonly trustedTypes?: TrustedTypesHere }).trustedTypes

/** The one policy that the server's pages may have: an address from `page.html`, of a file beside this one, and no other. */
const policy = trustedTypes?.createPolicy('gatehouse', {
  createScriptURL: (url) => {
    const { origin, pathname } = new URL(url, location.href)
    if (origin !== location.origin || !/\/pages\/[\w.-]+\.js$/.test(pathname))
      throw new TypeError(`no script of this page: ${url}`)
    return url
  },
})

/** Starts a worker whose address stands in the page, as `<meta name="…" content="…">`. */
export const startWorker = (name: string): Worker => {
  const url = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
  const worker = new Worker(policy?.createScriptURL(url) ?? url, { type: 'module' })
  // Told as a fault of the page: without it the land would stand still and nobody knew why.
  worker.addEventListener('error', ({ message }) => reportError(new Error(message || `The worker ${name} is gone.`)))
  return worker
}
