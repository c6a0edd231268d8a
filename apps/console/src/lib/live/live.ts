import { type QueryClient } from '@tanstack/react-query';
import { unreachableCount } from '../failures';
import { sessionEnded } from '../session-state';
import { checkSession } from './check-session';
import { type LiveState, liveState } from './live-state';
import { Liveness } from './liveness';
import { afterSleep, healFailures } from './regular-checks';
import { STALE_BY } from './stale-keys';
import { Staleness } from './staleness';
import { Stream } from './stream';
import { type TabMessage, Tabs } from './tabs';

/**
 * Follows GET /stream until the returned function is called, and reloads the data that its events make stale; after a
 * gap, all data. After the computer has slept, the stream is reopened, because its connection may have been lost
 * without an error. If the stream stays unavailable, the session is checked; if the session has ended, nothing is tried
 * until a user signs in again, here or in another tab.
 */
export function followStream(client: QueryClient): () => void {
  let isLeft = false;
  const check = (): void => void checkSession(client);
  const staleness = new Staleness(client, () => !document.hidden);
  const liveness = new Liveness(staleness, check);
  const tabs = new Tabs(() => isLeft);
  const enter = (state: LiveState): void => {
    liveness.enter(state);
    tabs.broadcast({ kind: 'state', state });
  };
  const stream = new Stream({
    mayRun: () => !isLeft && !sessionEnded.get(),
    onState: enter,
    onEvent: (type) => {
      liveness.note(STALE_BY[type]);
      tabs.broadcast({ kind: 'stale', keys: STALE_BY[type] });
    },
    onGap: () => {
      liveness.noteGap();
      enter('live');
    },
    onEnd: check,
  });
  const takeOver = (): void => {
    // A tab that takes over the stream may have missed events in between.
    if (liveState.get() === 'live') liveness.noteGap();
    stream.begin();
  };
  const receive = (message: TabMessage): void => {
    if (message.kind === 'stale') liveness.note(message.keys);
    else if (message.kind === 'state') liveness.enter(message.state);
    else if (message.kind === 'session') {
      if (message.isEnded !== sessionEnded.get()) check();
    } else if (stream.isOurs) tabs.broadcast({ kind: 'state', state: liveState.get() });
  };
  const onSession = (): void => {
    liveness.holdWindows();
    tabs.broadcast({ kind: 'session', isEnded: sessionEnded.get() });
    if (sessionEnded.get()) {
      stream.close();
      liveness.enter('lost');
    } else {
      stream.open();
      void client.invalidateQueries();
    }
  };
  const onPageHide = (): void => {
    isLeft = true;
  };
  const comeBack = ({ persisted }: PageTransitionEvent): void => {
    isLeft = false;
    if (persisted) stream.disconnect();
  };
  const reconnect = (): void => {
    if (document.hidden) return;
    if (sessionEnded.get()) check();
    else stream.retryNow();
    staleness.load();
  };

  const stopped = new AbortController();
  const { signal } = stopped;
  window.addEventListener('pagehide', onPageHide, { signal });
  window.addEventListener('pageshow', comeBack, { signal });
  window.addEventListener('offline', () => stream.suspectLost(), { signal });
  window.addEventListener('online', reconnect, { signal });
  window.addEventListener('focus', reconnect, { signal });
  document.addEventListener('visibilitychange', reconnect, { signal });
  const stops = [
    unreachableCount.subscribe(() => stream.suspectLost()),
    sessionEnded.subscribe(onSession),
    healFailures(client),
    afterSleep(() => stream.restart()),
  ];
  tabs.join(receive, takeOver);

  return () => {
    onPageHide();
    stopped.abort();
    for (const stop of stops) stop();
    staleness.stop();
    tabs.close();
    stream.close();
  };
}
