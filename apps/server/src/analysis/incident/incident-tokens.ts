import { type IncidentMember } from './incident.types.js';

/** A property that metrics can share: a label with its value, or a part of the name. */
export interface Token {
  kind: 'label' | 'part';
  /** For people: `instance=db-1`, `web-1`. */
  text: string;
}

type NamedMetric = Pick<IncidentMember, 'displayName' | 'labels'>;

const PARTS = /[.:/]+/;

/** Unique tokens, by a text that is equal for equal tokens. */
export function tokensOf({ displayName, labels }: NamedMetric): Map<string, Token> {
  const tokens = new Map<string, Token>();
  for (const [key, value] of Object.entries(labels)) {
    const text = `${key}=${value}`;
    tokens.set(`label ${text}`, { kind: 'label', text });
  }
  for (const part of displayName.split(PARTS)) {
    if (part !== '') tokens.set(`part ${part}`, { kind: 'part', text: part });
  }
  return tokens;
}

/** With fewer metrics, the frequency of a property is unknown. */
const FEWEST_SAMPLED = 20;
/** A property of more than this share of the metrics is not evidence. */
const MAX_COMMON = 0.5;
/** Maximum probability that an unrelated anomaly is considered related, for each shared token. */
const BY_CHANCE = 0.25;

/**
 * How common tokens are among the metrics of an organisation, from a sample. A shared token is evidence that two
 * anomalies belong together if this is unlikely by chance: the more anomalies there usually are, the rarer it must be.
 */
export class TokenStatistics {
  private readonly counts = new Map<string, number>();

  /** @param usualAnomalies usual number of anomalies that start within the time in which two may belong together */
  constructor(
    private readonly sample: readonly NamedMetric[],
    private readonly usualAnomalies: number,
  ) {
    for (const metric of sample) {
      for (const key of tokensOf(metric).keys()) this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    }
  }

  /** Share of the metrics with the token, 0 to 1. */
  share(key: string): number {
    return this.sample.length < FEWEST_SAMPLED ? 0 : (this.counts.get(key) ?? 0) / this.sample.length;
  }

  /** True if a shared token is evidence. */
  isInformative(key: string): boolean {
    return this.share(key) <= Math.min(MAX_COMMON, BY_CHANCE / Math.max(this.usualAnomalies, BY_CHANCE));
  }
}
