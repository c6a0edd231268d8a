import { type CustomDecorator, SetMetadata } from '@nestjs/common';
import { type Rhythm } from '../recurring-work.js';

// Repositories have it, and the command line loads those without the rest of Nest: nothing of @nestjs/core here.
const KEY = 'housekeeping';

export interface HousekeepingRule extends Pick<Rhythm, 'everyMs' | 'failure' | 'role'> {
  /** The method is called again until it answers less than this; without it, once a round. */
  batch?: number;
}

/** Called with the time in Unix seconds and `batch` of the rule (0 without one); answers how many rows it has dropped. */
export type HousekeepingMethod = (now: number, batch: number) => Promise<unknown>;

/**
 * Method decorator: the method drops expired rows, or does other housekeeping, at the pace of the rule. Every process
 * of the role calls it, so several may do so at the same time. HousekeepingService finds all of them.
 */
export const Housekeeping = (rule: HousekeepingRule): CustomDecorator => SetMetadata(KEY, rule);

/** Undefined for a method without one. */
export const housekeepingRuleOf = (method: HousekeepingMethod): HousekeepingRule | undefined =>
  Reflect.getMetadata(KEY, method) as HousekeepingRule | undefined;
