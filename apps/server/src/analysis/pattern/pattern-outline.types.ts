import { type PatternDto } from './pattern.dto.js';

/** A pattern as it is drawn. Times in Unix seconds. */
export interface PatternOutline {
  pattern: PatternDto;
  /** The time before in long slots, then the part and what is around it in slots of `resolutionSeconds`. */
  timeseries: [number, number | null][];
  resolutionSeconds: number;
  /** Value from which the part begins. */
  level: number;
  /** Root mean square by which a part may be apart from this one and be alike. */
  spread: number;
  /** What was anomalous; `isUp`: it reaches further above its level than below. */
  part: { from: number; until: number; isUp: boolean };
  /** What is compared slot by slot. */
  compared: { from: number; until: number };
  /** From here on the slots are short ones. */
  keptFrom: number;
}
