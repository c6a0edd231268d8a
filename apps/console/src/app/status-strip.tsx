import { Button } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { lastLiveAt, liveState } from '../lib/live/live-state';
import { sessionEnded } from '../lib/session-state';
import { timeText } from '../lib/time';
import { useZone } from '../lib/zone';
import { texts } from './shell.texts';
import classes from './shell.module.css';

/** True if the data on the page may be older than it looks. */
export function useIsStale(): boolean {
  const isEnded = sessionEnded.use();
  return liveState.use() === 'lost' || isEnded;
}

/** A strip at the lower edge, over the page: states why the shown data is old, without moving the page. */
export function StatusStrip() {
  const isEnded = sessionEnded.use();
  const isStale = useIsStale();
  const at = lastLiveAt.use();
  const zone = useZone();
  const href = useRouterState({ select: (state) => state.location.href });
  if (!isStale) return null;
  if (!isEnded) {
    return (
      <div className={classes.strip} role="status">
        {texts.notLive(timeText(at, zone))}
      </div>
    );
  }
  return (
    <div className={classes.strip} role="alert" data-ended>
      <span>{texts.sessionEnded}</span>
      <Button component="a" variant="filled" href={`/login?return_to=${encodeURIComponent(href)}`}>
        {texts.signIn}
      </Button>
    </div>
  );
}
