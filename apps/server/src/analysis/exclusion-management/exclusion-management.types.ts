import { type Exclusion } from '../../data/exclusion/exclusion.types.js';

/** Names of metrics in an answer. */
export const MOST_NAMES = 1000;

/** An exclusion that is not stored yet. */
export type WantedExclusion = Omit<Exclusion, 'id' | 'createdTimestamp'>;
