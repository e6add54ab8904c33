/** Texts of the config files; which names exist is the catalogue's matter. */
export type ConfigFiles = {
  /** The text in the data folder, else the bundled default; `etag` differs whenever the text does. */
  read(name: string): Promise<ConfigText>
}

export type ConfigText = {
  readonly text: string
  readonly etag: string
  readonly source: 'data' | 'default'
}
