import { type DemoModel } from './demo-models.js';
import { type TroubleKind } from './types.js';

type Kind = Exclude<TroubleKind, 'missed_job'>;

/** What happens to the series of a model. `strength`: see PlannedTrouble. */
export type TroubleEntry = readonly [model: string, kind: Kind, minutes: number, strength: number, text: string];

/** A site: its metrics, and what goes wrong with them. */
export interface DemoTheme {
  models: readonly DemoModel[];
  /** The model that shows the nightly job, and what is said of a night without it. */
  job: { model: string; missed: string };
  /** Trouble before the demo starts: hours before the epoch, then what happens. Each kind at least once in the last days. */
  history: readonly (readonly [hoursBefore: number, ...TroubleEntry])[];
  /** Trouble after the start, one after the other in an order that the seed decides, over and over. A prime number of them. */
  live: readonly TroubleEntry[];
}
