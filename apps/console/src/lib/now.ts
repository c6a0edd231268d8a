import { signal } from './signal';

/** Interval of the clock of the page. */
export const TICK_SECONDS = 5;

const seconds = (): number => Math.floor(Date.now() / 1000);

const clock = signal(seconds());
const dataClock = signal(clock.get());
let lastComplete = clock.get();
let isHeld = false;
let timer: ReturnType<typeof setInterval> | undefined;
let isFollowed = false;

function tick(): void {
  clock.set(seconds());
  if (!isHeld) dataClock.set(clock.get());
}

/** A hidden tab does nothing; when it becomes visible, it is updated immediately. */
function follow(): void {
  clearInterval(timer);
  timer = undefined;
  if (document.hidden) return;
  tick();
  timer = setInterval(tick, TICK_SECONDS * 1000);
}

function start(): void {
  if (isFollowed) return;
  isFollowed = true;
  document.addEventListener('visibilitychange', follow);
  timer = setInterval(tick, TICK_SECONDS * 1000);
}

/** Unix seconds, moving every five seconds: for "4 s ago". */
export function useNow(): number {
  start();
  return clock.use();
}

/**
 * Unix seconds for windows that end now. They do not advance while no newer data can be loaded: the shown data is
 * cached by its window, and another window would have none.
 */
export function useDataNow(): number {
  start();
  return dataClock.use();
}

/** The same for requests that are sent before a component shows the result. */
export const dataNow = (): number => dataClock.get();

/** Records that all data of the current windows has been loaded. */
export function noteComplete(): void {
  if (!isHeld) lastComplete = dataClock.get();
}

/** Freezes windows at the last completely loaded time, or lets them advance again. */
export function holdWindows(hold: boolean): void {
  if (hold === isHeld) return;
  isHeld = hold;
  clock.set(seconds());
  dataClock.set(hold ? lastComplete : clock.get());
}
