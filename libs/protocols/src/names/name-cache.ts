import { CachedName } from './cached-name.js';
import { GenerationCache, type GenerationTable } from './generation-cache.js';
import { isNameProblem, type MetricNameProblem, type ParsedMetricName } from './metric-name.js';
import { FRESH, type KeyField, SeriesKey } from './series-key.js';

/** Ways of spelling a series: equal bytes mean the same name within one of them only. */
export type Spelling = 'json' | 'prometheus' | 'prometheus2' | 'exposition' | 'otlp' | 'graphite' | 'csv';

export interface NameCacheOptions {
  /** Series keys kept of all spellings but line protocol, and once more of that. */
  maxEntries?: number;
  /** Rough bound of the memory taken, in bytes; likewise. */
  maxBytes?: number;
  /** Notified of every change of `bytes`. */
  onBytes?: (change: number) => void;
}

/** Maximum size of a Map. The bound in bytes is reached first. */
const DEFAULT_MAX_ENTRIES = 2 ** 24;
const DEFAULT_MAX_BYTES = 400e6;
/** The size of an entry without its texts: two map slots and the name. */
const BYTES_PER_ENTRY = 150;
const BYTES_PER_FIELD = 90;
const MAX_SHARED_TEXTS = 1000;
const MAX_SHARED_LENGTH = 64;

/**
 * Longest key that is kept, in characters of a text. A name has 1024 characters of at most four bytes; the rest is for
 * lengths and signs between them. A longer key is not a name that is sent repeatedly, and is parsed each time.
 */
export const MAX_KEPT_KEY_LENGTH = 8192;

/**
 * Series keys as senders spell them → metric names, across bodies. Senders repeat the same keys endlessly, and parsing
 * a key costs far more than finding it here. The raw key is usually the Latin-1 text of its bytes: cheap to create, and
 * it keeps distinct bytes distinct.
 *
 * ```ts
 * const names = (limits.names ?? new NameCache()).spelledAs('prometheus');
 * const name = names.get(raw) ?? names.keep(raw, composeSanitised(…));
 * if (isNameProblem(name)) … else builder.series(name, backfill)
 * ```
 * Names that break a rule are kept too, with their problem. One cache goes with one set of NameLimits. Not for
 * concurrent use by several threads; parsers are synchronous, so all bodies of a process can share one.
 */
export class NameCache {
  private readonly cache: GenerationCache<CachedName | MetricNameProblem>;
  private readonly keys: GenerationCache<SeriesKey>;
  private readonly texts = new Map<string, string>();
  private missed = 0;

  constructor({ maxEntries = DEFAULT_MAX_ENTRIES, maxBytes = DEFAULT_MAX_BYTES, onBytes }: NameCacheOptions = {}) {
    this.cache = new GenerationCache({ maxEntries, maxWeight: maxBytes, weigh: bytesOfName, onWeight: onBytes });
    this.keys = new GenerationCache<SeriesKey>({
      maxEntries,
      maxWeight: maxBytes,
      weigh: bytesOfKey,
      onWeight: onBytes,
      // Or each key that is dropped would keep the one after it in memory.
      onDrop: (key) => key.drop(),
    });
  }

  /** To be asked for once per body, and not to be kept longer. */
  spelledAs(spelling: Spelling): NameTable {
    return new NameTable(this.cache.table(spelling), this);
  }

  /** Keys of line protocol; likewise. */
  seriesKeys(): SeriesKeyTable {
    return new SeriesKeyTable(this.keys, this);
  }

  /** Drops entries without recent use; called twice without a lookup in between, all of them. */
  shed(): void {
    this.cache.shed();
    this.keys.shed();
  }

  /** An equal text, the same one each time: few texts of fields have many keys. */
  shared(text: string): string {
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    if (text.length <= MAX_SHARED_LENGTH && this.texts.size < MAX_SHARED_TEXTS) this.texts.set(text, text);
    return text;
  }

  /** Counts a key that was taken apart because it was not here. */
  noteMiss(): void {
    this.missed++;
  }

  /** Keys that were not here when they were asked for, since the start. */
  get misses(): number {
    return this.missed;
  }

  get size(): number {
    return this.cache.size + this.keys.size;
  }

  /** Rough sum of the bytes that all entries take. */
  get bytes(): number {
    return this.cache.weight + this.keys.weight;
  }
}

/** The names of one spelling. */
export class NameTable {
  constructor(
    private readonly table: GenerationTable<CachedName | MetricNameProblem>,
    private readonly cache: NameCache,
  ) {}

  get(raw: string): CachedName | MetricNameProblem | undefined {
    return this.table.get(raw);
  }

  /** Stores the meaning of `raw`; answers the object to be used from now on. */
  keep(raw: string, parsed: ParsedMetricName | MetricNameProblem): CachedName | MetricNameProblem {
    this.cache.noteMiss();
    const kept = isNameProblem(parsed) || parsed instanceof CachedName ? parsed : new CachedName(parsed.name);
    if (isKept(raw)) this.table.set(raw, kept);
    return kept;
  }
}

/** Keys that represent several metrics each. */
export class SeriesKeyTable {
  private readonly table: GenerationTable<SeriesKey>;

  constructor(
    private readonly cache: GenerationCache<SeriesKey>,
    private readonly names: NameCache,
  ) {
    this.table = cache.table('');
  }

  get(raw: string): SeriesKey | undefined {
    const key = this.table.get(raw);
    if (key !== undefined) key.generation = this.cache.generation;
    return key;
  }

  keep(raw: string, problem: string | null): SeriesKey {
    this.names.noteMiss();
    const key = new SeriesKey(raw, problem);
    key.isHeld = isKept(raw) && this.table.set(raw, key);
    return key;
  }

  /** Marks a key that was found without `get` as used, to keep it. */
  use(key: SeriesKey): void {
    if (key.generation === this.cache.generation) return;
    if (this.table.get(key.raw) === undefined) key.isHeld = this.table.set(key.raw, key);
    key.generation = this.cache.generation;
  }

  /** Remembers which key came after another. One that is not held must not stay in memory through one that is. */
  link(before: SeriesKey, after: SeriesKey): void {
    before.next = after.isHeld ? after : null;
  }

  /** The text of a field, one for all keys that have it. */
  shared(raw: string): string {
    return this.names.shared(raw);
  }

  addField(key: SeriesKey, field: KeyField): void {
    if (!isKept(field.raw)) return;
    key.addField(field);
    if (key.isHeld) this.cache.charge(bytesOfField(field), key.generation === FRESH);
  }
}

function isKept(raw: string): boolean {
  return raw.length <= MAX_KEPT_KEY_LENGTH;
}

function bytesOfName(raw: string, kept: CachedName | MetricNameProblem): number {
  return BYTES_PER_ENTRY + bytesOfText(raw) + (isNameProblem(kept) ? 0 : bytesOfText(kept.name));
}

function bytesOfKey(raw: string, key: SeriesKey): number {
  let bytes = BYTES_PER_ENTRY + bytesOfText(raw);
  for (const field of key.fields()) bytes += bytesOfField(field);
  return bytes;
}

function bytesOfField({ name, refusal }: KeyField): number {
  return BYTES_PER_FIELD + bytesOfText(name) + (refusal === null ? 0 : bytesOfText(refusal.text));
}

const WIDE = /[^\0-\xff]/;

/** Texts take one byte for each character while all of them are Latin-1, two otherwise. */
function bytesOfText(text: string): number {
  return WIDE.test(text) ? 2 * text.length : text.length;
}
