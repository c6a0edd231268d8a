import { displayNameOf, labelsOf, type ParsedMetricName } from './metric-name.js';

/**
 * A metric name that is kept from body to body. BatchBuilder notes on it which row of its headers it has in the body
 * being read, so that finding the header of a known series needs no lookup. There is one for each series, so it holds
 * only the name: its parts are parsed on demand, which is rare.
 */
export class CachedName implements ParsedMetricName {
  /** Number of the BatchBuilder that noted `series`; for BatchBuilder alone. */
  builder = 0;
  series = 0;

  /** @param name in canonical form */
  constructor(readonly name: string) {}

  get displayName(): string {
    return displayNameOf(this.name);
  }

  get labels(): Record<string, string> {
    return labelsOf(this.name);
  }
}
