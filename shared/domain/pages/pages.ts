/** A built file of a page, whole, as it is and compressed. */
export type PageFile = {
  readonly contentType: string
  /** Changes with the content; without quotes. */
  readonly etag: string
  readonly bytes: Uint8Array
  /** By content coding; a file that is too small to gain from one has none. */
  readonly encoded: Readonly<Partial<Record<'br' | 'gzip', Uint8Array>>>
}

/** The pages for browsers as they were built (`npm run pages`). */
export type Pages = {
  /** The HTML of the page of that name; undefined where it was not built. */
  findPage(name: string): Promise<PageFile | undefined>
  /** A file that pages ask for. Its name changes with its content. */
  findFile(name: string): Promise<PageFile | undefined>
}
