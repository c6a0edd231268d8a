import { CachedName } from './cached-name.js';
import { GenerationCache, type GenerationTable } from './generation-cache.js';
import { isNameProblem, type MetricNameProblem, type ParsedMetricName } from './metric-name.js';
import { type KeyField, SeriesKey } from './series-key.js';

/** Ways of spelling a series: equal bytes mean the same name within one of them only. */
export type Spelling = 'json' | 'prometheus' | 'prometheus2' | 'otlp' | 'graphite' | 'csv';

export interface NameCacheOptions {
  /** Series keys kept of all spellings but line protocol, and once more of that. */
  maxEntries?: number;
  /** Rough bound of the memory taken, in bytes; likewise. */
  maxBytes?: number;
}

/** Enough for 400,000 series in steady use. */
const DEFAULT_MAX_ENTRIES = 800_000;
const DEFAULT_MAX_BYTES = 400e6;
/** What an entry takes besides its texts: two map slots, the name, its labels. */
const BYTES_PER_ENTRY = 300;
const BYTES_PER_FIELD = 250;

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
  private readonly keys: GenerationCache<SeriesKey>;

  constructor({ maxEntries = DEFAULT_MAX_ENTRIES, maxBytes = DEFAULT_MAX_BYTES }: NameCacheOptions = {}) {
    this.cache = new GenerationCache({ maxEntries, maxWeight: maxBytes, weigh: bytesOfName });
    this.keys = new GenerationCache<SeriesKey>({
      maxEntries,
      maxWeight: maxBytes,
      weigh: bytesOfKey,
      // Or each key that is dropped would keep the one after it in memory.
      onDrop: (key) => (key.next = null),
    });
  }

  /** To be asked for once per body, and not to be kept longer. */
  spelledAs(spelling: Spelling): NameTable {
    return new NameTable(this.cache.table(spelling));
  }

  /** Keys of line protocol; likewise. */
  seriesKeys(): SeriesKeyTable {
    return new SeriesKeyTable(this.keys);
  }

  get size(): number {
    return this.cache.size + this.keys.size;
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

/** Keys that stand for several metrics each. */
export class SeriesKeyTable {
  private readonly table: GenerationTable<SeriesKey>;

  constructor(private readonly cache: GenerationCache<SeriesKey>) {
    this.table = cache.table('');
  }

  get(raw: string): SeriesKey | undefined {
    const key = this.table.get(raw);
    if (key !== undefined) key.generation = this.cache.generation;
    return key;
  }

  keep(raw: string, problem: string | null): SeriesKey {
    const key = new SeriesKey(raw, problem);
    this.table.set(raw, key);
    key.generation = this.cache.generation;
    return key;
  }

  /** To be told of every use of a key that was found without `get`, so that it stays. */
  use(key: SeriesKey): void {
    if (key.generation === this.cache.generation) return;
    if (this.table.get(key.raw) === undefined) this.table.set(key.raw, key);
    key.generation = this.cache.generation;
  }

  addField(key: SeriesKey, field: KeyField): void {
    key.addField(field);
    this.cache.charge(bytesOfField(field));
  }
}

function bytesOfName(raw: string, kept: CachedName | MetricNameProblem): number {
  // The name once whole and once as labels.
  return BYTES_PER_ENTRY + raw.length + ('name' in kept ? 2 * kept.name.length : 0);
}

function bytesOfKey(raw: string, { fields }: SeriesKey): number {
  let bytes = BYTES_PER_ENTRY + raw.length;
  for (const field of fields) bytes += bytesOfField(field);
  return bytes;
}

function bytesOfField({ raw, name, text }: KeyField): number {
  return BYTES_PER_FIELD + raw.length + text.length + (name === null ? 0 : 2 * name.name.length);
}
