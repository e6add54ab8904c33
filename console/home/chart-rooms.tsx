import { Skeleton } from '../parts/loading.tsx'
import { words } from '../words.ts'

/** The height of a chart with its title and legend, in rem. */
const heightRem = 15.5

/** Takes the room of the four charts of the overview, so that nothing below them moves when they are drawn. */
export const ChartRooms = () => (
  <div class="charts">
    {[words.home.ticks, words.home.sessions, words.home.cpu, words.home.memory].map((title) => (
      <Skeleton key={title} height={heightRem} />
    ))}
  </div>
)
