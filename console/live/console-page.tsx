import { PageHead } from '../parts/page-head.tsx'
import { words } from '../words/of-frame.ts'
import { ChatBox } from './chat-box.tsx'

/** Chat and commands as a player has them. */
export const ConsolePage = () => (
  <>
    <PageHead title={words.pages.console} />
    <div class="commands">
      <ChatBox />
    </div>
  </>
)
