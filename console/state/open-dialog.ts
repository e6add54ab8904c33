import { useEffect, useState } from 'preact/hooks'
import type { Loaded } from './load.ts'

/** A dialog keeps the version it was opened with, so that saving over a newer version fails. */
export type OpenDialog<Name, Of> = { readonly dialog: Name; readonly of: Of }

/**
 * Opens dialogs over the data of a page. While the page reloads, for example after a save, a dialog waits for the new data. Saving old
 * data would fail.
 */
export const useDialog = <Name, Of>(loaded: Loaded<Of>) => {
  const [wanted, setWanted] = useState<Name>()
  const [open, setOpen] = useState<OpenDialog<Name, Of>>()
  const { value, isLoading } = loaded
  useEffect(() => {
    if (wanted === undefined || isLoading || value === undefined) return
    setOpen({ dialog: wanted, of: value })
    setWanted(undefined)
  }, [wanted, isLoading, value])
  return {
    open,
    show: (dialog: Name) => () => setWanted(() => dialog),
    close: () => setOpen(undefined),
  }
}
