import { type EventType } from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';

/** `metric_created` → `Metric created` */
export function titleOf(type: EventType): string {
  return type.charAt(0).toUpperCase() + type.slice(1).replaceAll('_', ' ');
}

/** The user who caused an event, if it was a user. */
export const byCaller = (caller: KnownCaller): { userId?: number } =>
  caller.kind === 'user' ? { userId: caller.userId } : {};
