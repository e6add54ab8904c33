import { Dialog } from '../parts/dialog.tsx'
import { mayDo, serverUrl } from '../state/session.ts'
import { words } from '../words/of-frame.ts'
import { wordsOfPalette } from '../words/of-palette.ts'
import { closeLayer, hasSingleKeys, paletteKeys, setSingleKeys } from './keyboard.ts'
import { pages } from './pages.tsx'

const general = [
  [paletteKeys, words.keys.search],
  [words.keys.names.find, words.keys.find],
  [words.keys.names.help, words.keys.help],
  [wordsOfPalette.palette.keys.escape, words.keys.close],
] as const

/** The keyboard shortcuts, and links to the documentation. */
export const HelpDialog = () => (
  <Dialog title={words.shell.keyboard} close={closeLayer} wide>
    <p class="quiet">{words.keys.lead}</p>
    <div class="keys">
      <section>
        <dl>
          {general.map(([key, text]) => (
            <div key={text}>
              <dt>{text}</dt>
              <dd>
                <kbd>{key}</kbd>
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <section>
        <h3>{words.keys.go}</h3>
        <dl>
          {pages
            .filter(({ permission }) => permission === undefined || mayDo(permission))
            .map(({ name, key }) => (
              <div key={name}>
                <dt>{words.pages[name]}</dt>
                <dd>
                  <kbd>{words.keys.names.go}</kbd> <kbd>{key}</kbd>
                </dd>
              </div>
            ))}
        </dl>
      </section>
    </div>
    <label class="check">
      <input type="checkbox" checked={hasSingleKeys.value} onChange={() => setSingleKeys(!hasSingleKeys.value)} />
      {words.keys.areOn}
    </label>
    <p class="quiet">{words.keys.areOnHint}</p>
    <h3>{words.keys.guides}</h3>
    <p>
      <a href={`${serverUrl}/api/docs`}>{words.shell.apiDocs}</a> ·{' '}
      <a href={`${serverUrl}/api/openapi.json`}>{words.shell.apiDescription}</a>
    </p>
    <p class="quiet">{words.keys.guidesLead}</p>
  </Dialog>
)
