import { GenerationCache, type GenerationTable } from './generation-cache.js';
import { isNameProblem, type MetricNameProblem, type ParsedMetricName } from './metric-name.js';

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

/** Ways of spelling a series: equal bytes mean the same name within one of them only. */
export type Spelling = 'influx' | 'json' | 'prometheus' | 'prometheus2' | 'otlp' | 'graphite' | 'csv';

export interface NameCacheOptions {
  /** Series keys kept. */
  maxEntries?: number;
  /** Rough bound of the memory taken, in bytes. */
  maxBytes?: number;
}

/** Enough for 400,000 series in steady use. */
const DEFAULT_MAX_ENTRIES = 800_000;
const DEFAULT_MAX_BYTES = 600e6;
/** What an entry takes besides its texts: two map slots, the name, its labels. */
const BYTES_PER_ENTRY = 300;

/**
 * Series keys as senders spell them → metric names, across bodies. Senders repeat the same keys for ever, and taking a key
 * apart costs far more than finding it here. The raw key is usually the Latin-1 text of its bytes: cheap to make, and it
 * keeps distinct bytes distinct.
 *
 * ```ts
 * const names = (limits.names ?? new NameCache()).spelledAs('prometheus');
 * const name = names.get(raw) ?? names.keep(raw, composeSanitised(…));
 * if (isNameProblem(name)) … else builder.series(name, backfill)
 * ```
 * Names that break a rule are kept too, with their problem. One cache goes with one set of NameLimits. Not for use from
 * several threads at once; parsers are synchronous, so all bodies of a process can share one.
 */
export class NameCache {
  private readonly cache: GenerationCache<CachedName | MetricNameProblem>;

  constructor(options: NameCacheOptions = {}) {
    this.cache = new GenerationCache({
      maxEntries: options.maxEntries ?? DEFAULT_MAX_ENTRIES,
      maxWeight: options.maxBytes ?? DEFAULT_MAX_BYTES,
      weigh: bytesOf,
    });
  }

  /** To be asked for once per body, and not to be kept longer. */
  spelledAs(spelling: Spelling): NameTable {
    return new NameTable(this.cache.table(spelling));
  }

  get size(): number {
    return this.cache.size;
  }
}

/** The names of one spelling. */
export class NameTable {
  constructor(private readonly table: GenerationTable<CachedName | MetricNameProblem>) {}

  get(raw: string): CachedName | MetricNameProblem | undefined {
    return this.table.get(raw);
  }

  /** Remembers what `raw` stands for; answers what is to be used from now on. */
  keep(raw: string, parsed: ParsedMetricName | MetricNameProblem): CachedName | MetricNameProblem {
    const kept = isNameProblem(parsed) || parsed instanceof CachedName ? parsed : new CachedName(parsed);
    this.table.set(raw, kept);
    return kept;
  }
}

function bytesOf(raw: string, kept: CachedName | MetricNameProblem): number {
  // The name once whole and once as labels.
  return BYTES_PER_ENTRY + raw.length + ('name' in kept ? 2 * kept.name.length : 0);
}
