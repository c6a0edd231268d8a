import { Tooltip } from '@mantine/core';
import { TICK_SECONDS, useNow } from '../lib/now';
import { agoText, lastedText, fullTimeText, timeText } from '../lib/time';
import { useZone } from '../lib/zone';

/** A time of the page's zone; the whole of it, with the zone, on hover. Unix seconds. */
export function Time({ at }: { at: number }) {
  const zone = useZone();
  return (
    <Tooltip label={`${fullTimeText(at, zone)} ${zone}`}>
      <time dateTime={new Date(at * 1000).toISOString()}>{timeText(at, zone)}</time>
    </Tooltip>
  );
}

/** `4 min ago`, moving on. */
export function Ago({ at }: { at: number }) {
  const zone = useZone();
  const clockNow = useNow();
  // Between two ticks of the clock of the page, a recent event may be ahead of it.
  const now = at - clockNow <= TICK_SECONDS ? Math.max(at, clockNow) : clockNow;
  return (
    <Tooltip label={`${fullTimeText(at, zone)} ${zone}`}>
      <time dateTime={new Date(at * 1000).toISOString()}>{agoText(at, now)}</time>
    </Tooltip>
  );
}

/** How long something lasted, or has lasted so far. */
export function Lasted({ from, until }: { from: number; until: number | null }) {
  const now = useNow();
  return <span>{lastedText((until ?? now) - from)}</span>;
}
