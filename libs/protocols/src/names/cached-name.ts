import { displayNameOf, labelsOf, type ParsedMetricName } from './metric-name.js';

/**
 * A metric name that is cached between bodies. BatchBuilder stores the row of the name in the body being read on it, so
 * that finding the header of a known series needs no lookup. There is one per series, so it contains only the name: its
 * parts are parsed on demand, which is rare.
 */
export class CachedName implements ParsedMetricName {
  /** Number of the BatchBuilder that set `series`; used only by BatchBuilder. */
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
