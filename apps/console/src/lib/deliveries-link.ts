import { keepView } from './keep-view';

/** The subject whose messages the page of deliveries shows. */
export interface DeliveriesAbout {
  watcher?: number;
  anomaly?: number;
  incident?: number;
}

const DAY = 86_400;
const SHOWN_DAYS = 30;

/**
 * Search parameters of a link to the deliveries about something, with a window that contains them: the last 30 days, or
 * from its start on. Unix seconds.
 */
export function deliveriesSearch(about: DeliveriesAbout, since?: number, now = Date.now() / 1000) {
  return (current: Record<string, unknown>): Record<string, unknown> => {
    const { tz } = keepView(current);
    const isOlder = since !== undefined && since < now - (SHOWN_DAYS - 1) * DAY;
    const window = isOlder
      ? { from: Math.floor(since) - 3600, until: Math.floor(since) + SHOWN_DAYS * DAY }
      : { w: `${String(SHOWN_DAYS)}d` };
    return { ...about, ...window, ...(tz === undefined ? {} : { tz }) };
  };
}
