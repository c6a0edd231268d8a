import { type ParsedMetricName } from './metric-name.js';

/**
 * A metric name that is kept from body to body. BatchBuilder notes on it which row of its headers it has in the body being
 * read, so that finding the header of a known series costs no look-up.
 */
export class CachedName implements ParsedMetricName {
  readonly name: string;
  readonly displayName: string;
  readonly labels: Record<string, string>;
  /** Number of the BatchBuilder that noted `series`; for BatchBuilder alone. */
  builder = 0;
  series = 0;

  constructor(parsed: ParsedMetricName) {
    this.name = parsed.name;
    this.displayName = parsed.displayName;
    this.labels = parsed.labels;
  }
}
