import { slowRequests } from '../state/api.ts'

/** A thin line at the top while a request takes longer than 200 ms. It moves nothing on the page. */
export const WaitBar = () => (slowRequests.value > 0 ? <div class="wait-bar" aria-hidden="true" /> : null)
