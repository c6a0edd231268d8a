import { CachedName } from './cached-name.js';
import { GenerationCache, type GenerationTable } from './generation-cache.js';
import { isNameProblem, type MetricNameProblem, type ParsedMetricName } from './metric-name.js';
import { FRESH, type KeyField, SeriesKey } from './series-key.js';

/** Spellings of a series: equal bytes mean the same name only within one of them. */
export type Spelling = 'json' | 'prometheus' | 'prometheus2' | 'exposition' | 'otlp' | 'graphite' | 'csv';

export interface NameCacheOptions {
  /** Maximum number of cached series keys of all spellings except line protocol, and of line protocol. */
  maxEntries?: number;
  /** Approximate limit of the memory in bytes, for each of the two. */
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
 * Maximum length of a cached key, in characters of a string. A name has at most 1024 characters of four bytes; the rest
 * is for lengths and separators. A longer key is not a name that is sent repeatedly, and is parsed each time.
 */
export const MAX_KEPT_KEY_LENGTH = 8192;

/**
 * Series keys as spelled by senders → metric names, across bodies. Senders repeat the same keys constantly, and parsing
 * a key costs far more than finding it here. The raw key is usually the Latin-1 text of its bytes: cheap to create, and
 * distinct for distinct bytes.
 *
 * ```ts
 * const names = (limits.names ?? new NameCache()).spelledAs('prometheus');
 * const name = names.get(raw) ?? names.keep(raw, composeSanitised(…));
 * if (isNameProblem(name)) … else builder.series(name, backfill)
 * ```
 * Invalid names are cached too, with their problem. A cache belongs to one set of NameLimits. It must not be shared
 * between threads; parsers are synchronous, so all bodies of a process can share one.
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
      // Otherwise each dropped key would keep the key after it in memory.
      onDrop: (key) => key.drop(),
    });
  }

  /** Call it once per body, and do not keep the result longer. */
  spelledAs(spelling: Spelling): NameTable {
    return new NameTable(this.cache.table(spelling), this);
  }

  /** Keys of line protocol; likewise. */
  seriesKeys(): SeriesKeyTable {
    return new SeriesKeyTable(this.keys, this);
  }

  /** Drops entries without recent use; two calls without a lookup in between drop all. */
  shed(): void {
    this.cache.shed();
    this.keys.shed();
  }

  /** A shared copy of an equal text: few field names occur in many keys. */
  shared(text: string): string {
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    if (text.length <= MAX_SHARED_LENGTH && this.texts.size < MAX_SHARED_TEXTS) this.texts.set(text, text);
    return text;
  }

  /** Counts a key that was parsed because it was not cached. */
  noteMiss(): void {
    this.missed++;
  }

  /** Number of lookups of keys that were not cached, since the start. */
  get misses(): number {
    return this.missed;
  }

  get size(): number {
    return this.cache.size + this.keys.size;
  }

  /** Approximate number of bytes of all entries. */
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

  /** Caches the name of `raw`; returns the object to be used from now on. */
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

  /** Records which key came after another. A key that is not cached must not stay in memory through one that is. */
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
  return (
    BYTES_PER_FIELD +
    bytesOfText(name) +
    (refusal === null ? 0 : bytesOfText(refusal.text) + bytesOfText(refusal.problem))
  );
}

const WIDE = /[^\0-\xff]/;

/** Strings use one byte per character if all of them are Latin-1, otherwise two. */
function bytesOfText(text: string): number {
  return WIDE.test(text) ? 2 * text.length : text.length;
}
