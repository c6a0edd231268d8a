import { Tooltip } from '@mantine/core';
import { TICK_SECONDS, useNow } from '../lib/now';
import { agoText, lastedText, fullTimeText, timeText } from '../lib/time';
import { useZone } from '../lib/zone';

/** A time in the zone of the page; in full and with the zone on hover. Unix seconds. */
export function Time({ at }: { at: number }) {
  const zone = useZone();
  return (
    <Tooltip label={`${fullTimeText(at, zone)} ${zone}`}>
      <time dateTime={new Date(at * 1000).toISOString()}>{timeText(at, zone)}</time>
    </Tooltip>
  );
}

/** `4 min ago`, updated continuously. */
export function Ago({ at }: { at: number }) {
  const zone = useZone();
  const clockNow = useNow();
  // Between two ticks of the page's clock, a recent event may be later than that clock.
  const now = at - clockNow <= TICK_SECONDS ? Math.max(at, clockNow) : clockNow;
  return (
    <Tooltip label={`${fullTimeText(at, zone)} ${zone}`}>
      <time dateTime={new Date(at * 1000).toISOString()}>{agoText(at, now)}</time>
    </Tooltip>
  );
}

/** The duration of something, or its duration so far. */
export function Lasted({ from, until }: { from: number; until: number | null }) {
  const now = useNow();
  return <span>{lastedText((until ?? now) - from)}</span>;
}
