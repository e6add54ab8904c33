/** What the HTTP half counts; label values come from route declarations, never from requests. */
export type HttpMetrics = {
  observe(request: { readonly method: string; readonly path: string; readonly status: number; readonly seconds: number }): void
}
