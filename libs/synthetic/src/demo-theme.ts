import { type DemoModel } from './demo-models.js';
import { type TroubleKind } from './types.js';

type Kind = Exclude<TroubleKind, 'new_job' | 'missed_job'>;

/** An event in the series of a model. `strength`: see PlannedTrouble. */
export type TroubleEntry = readonly [model: string, kind: Kind, minutes: number, strength: number, text: string];

/** A site: its metrics and their trouble. */
export interface DemoTheme {
  models: readonly DemoModel[];
  /**
   * The model with the nightly job, the name of the job, and the texts about its first night and about a night without
   * it.
   */
  job: { model: string; name: string; isNew: string; missed: string };
  /** The trouble of the history that affects several metrics: the model and the entry in which it starts. */
  outage: { model: string; hoursBefore: number };
  /** A metric that is often conspicuous without a cause: the direction that matters, and why. */
  noisy: { model: string; direction: 'up' | 'down'; why: string };
  /**
   * Trouble before the demo starts: hours before the epoch, then the event. Each kind occurs at least once in the last
   * days.
   */
  history: readonly (readonly [hoursBefore: number, ...TroubleEntry])[];
  /**
   * Trouble after the start, sequentially in an order that depends on the seed, repeated endlessly. The number of
   * entries must be prime.
   */
  live: readonly TroubleEntry[];
}
