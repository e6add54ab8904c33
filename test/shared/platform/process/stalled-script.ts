import { setTimeout as pause } from 'node:timers/promises'
import { createStallWatch } from '../../../../shared/platform/process/stall-watch.ts'

/** Beats for a while, and then loops for ever in code of a module, or after an `await` of its outside work. */
const watch = createStallWatch({ logMs: 500, endMs: 1500 })
const [way] = process.argv.slice(2)
for (let beats = 0; beats < 20; beats += 1) {
  watch.beat()
  watch.enter('calm')
  watch.leave()
  await pause(50)
}
if (way === 'handler') watch.enter('looper')
else if (way === 'later') watch.changePending('looper', 1)
const startedMs = performance.now()
while (way !== 'server' || performance.now() - startedMs < 3000);
process.stdout.write('went on\n')
watch.close()
