/** A built file of a page, complete, plain and compressed. */
export type PageFile = {
  readonly contentType: string
  /** Changes with the content. Without quotes. */
  readonly etag: string
  readonly bytes: Uint8Array
  /** By content coding. A small file that would gain nothing has none. */
  readonly encoded: Readonly<Partial<Record<'br' | 'gzip', Uint8Array>>>
}

/** The pages for browsers, built by `npm run pages`. */
export type Pages = {
  /** The HTML of a page; undefined if it was not built. */
  findPage(name: string): Promise<PageFile | undefined>
  /** A file that pages load. Its name changes with its content. */
  findFile(name: string): Promise<PageFile | undefined>
}
