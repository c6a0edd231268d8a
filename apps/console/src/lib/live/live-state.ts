import { signal } from '../signal';

export type LiveState = 'connecting' | 'live' | 'lost';

export const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** State of the event stream; `lost` means that the data on the screen may be old. */
export const liveState = signal<LiveState>('connecting');
/** Time up to which the data on the screen was known to be fresh, Unix seconds. */
export const lastLiveAt = signal(nowSeconds());
