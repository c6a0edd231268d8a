import { type CustomDecorator, SetMetadata } from '@nestjs/common';
import { type Rhythm } from '../recurring-work.js';

// Repositories import this, and the command line loads them without the rest of Nest: no import of @nestjs/core here.
const KEY = 'housekeeping';

export interface HousekeepingRule extends Pick<Rhythm, 'everyMs' | 'failure' | 'role'> {
  /** The method is called again until it returns less than this; if omitted, once per round. */
  batch?: number;
}

/**
 * Called with the time in Unix seconds and `batch` of the rule (0 if there is none); returns the number of deleted
 * rows.
 */
export type HousekeepingMethod = (now: number, batch: number) => Promise<unknown>;

/**
 * Method decorator: the method deletes expired rows, or does other housekeeping, at the interval of the rule. Every
 * process of the role calls it, possibly concurrently. HousekeepingService finds all of them.
 */
export const Housekeeping = (rule: HousekeepingRule): CustomDecorator => SetMetadata(KEY, rule);

/** Undefined for a method without one. */
export const housekeepingRuleOf = (method: HousekeepingMethod): HousekeepingRule | undefined =>
  Reflect.getMetadata(KEY, method) as HousekeepingRule | undefined;
