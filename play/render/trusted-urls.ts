/** The part of Trusted Types that is used; only Chromium has it. */
type TrustedTypesHere = {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

const trustedTypes = (globalThis as { readonly trustedTypes?: TrustedTypesHere }).trustedTypes

/** The single policy of the server's pages. It allows only addresses in `page.html` of files beside the page. */
const policy = trustedTypes?.createPolicy('gatehouse', {
  createScriptURL: (url) => {
    const { origin, pathname } = new URL(url, location.href)
    if (origin !== location.origin || !/\/pages\/[\w.-]+\.js$/.test(pathname))
      throw new TypeError(`no script of this page: ${url}`)
    return url
  },
})

/** Starts a worker whose address is in the page, as `<meta name="…" content="…">`. */
export const startWorker = (name: string): Worker => {
  const url = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
  const worker = new Worker(policy?.createScriptURL(url) ?? url, { type: 'module' })
  // Reported as a fault of the page, because without the worker the land would not load.
  worker.addEventListener('error', ({ message }) => reportError(new Error(message || `The worker ${name} is gone.`)))
  return worker
}
