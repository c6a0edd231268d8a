import { type EventType } from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type EventNames } from './event.types.js';

/** `metric_created` → `Metric created` */
export function titleOf(type: EventType): string {
  return type.charAt(0).toUpperCase() + type.slice(1).replaceAll('_', ' ');
}

/** ` of web-1.cpu`, in the text of an event. */
export const ofMetric = ({ metric }: Pick<EventNames, 'metric'>): string => (metric === null ? '' : ` of ${metric}`);

/** ` by Ann`, in the text of an event; empty if no user caused it. */
export const byUser = ({ user }: Pick<EventNames, 'user'>): string => (user === null ? '' : ` by ${user}`);

/** The user who caused an event, if it was a user. */
export const byCaller = (caller: KnownCaller): { userId?: number } =>
  caller.kind === 'user' ? { userId: caller.userId } : {};
