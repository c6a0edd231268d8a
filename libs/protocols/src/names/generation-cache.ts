export interface GenerationCacheOptions<V> {
  /** Entries of all tables. */
  maxEntries: number;
  /** Maximum sum of `weigh` over the entries, in any unit. */
  maxWeight?: number;
  weigh?: (key: string, value: V) => number;
  /** Notified of every change of `weight`, after it, to distribute memory among several caches. */
  onWeight?: (change: number) => void;
  /** Called for every evicted value (not for deleted ones). */
  onDrop?: (value: V) => void;
  /** Milliseconds of a steady clock. */
  now?: () => number;
}

/** An entry that was not used for this time may be replaced by a new one. */
const IDLE_MS = 300_000;
/** Above this share of the bound, use of entries is tracked. */
const WATCHED_PART = 3 / 4;

/** Entries, and their weights. */
class Load {
  entries = 0;
  weight = 0;

  add(weight: number): void {
    this.entries++;
    this.weight += weight;
  }

  remove(weight: number): void {
    this.entries--;
    this.weight -= weight;
  }

  /** Moves in the entries of `other`, which is empty afterwards. */
  takeFrom(other: Load): void {
    this.entries = other.entries;
    this.weight = other.weight;
    other.entries = other.weight = 0;
  }
}

/**
 * A bounded cache for repeated lookups. A new entry is fresh until its second lookup; then it is kept. When the bound
 * is reached, no new entries are accepted until existing ones have been unused for some minutes: a flood of new names
 * therefore does not evict those in steady use, and with more names than fit, those that fit are found. A hit on an
 * entry in steady use costs one lookup and writes nothing.
 *
 * Keys are in tables that share the bound: names of different protocols or organisations are separate.
 */
export class GenerationCache<V> {
  private readonly tables = new Map<string | number, GenerationTable<V>>();
  private readonly fresh = new Load();
  private readonly kept = new Load();
  private readonly idle = new Load();
  private readonly maxWeight: number;
  private readonly now: () => number;
  private turnedAt = -Infinity;
  private turns = 0;

  constructor(private readonly options: GenerationCacheOptions<V>) {
    this.maxWeight = options.maxWeight ?? Infinity;
    this.now = options.now ?? (() => performance.now());
  }

  /** The table of that name, created at the first call. Do not keep it: an empty table is dropped. */
  table(id: string | number): GenerationTable<V> {
    let table = this.tables.get(id);
    if (table === undefined) {
      table = new GenerationTable<V>(this);
      this.tables.set(id, table);
    }
    return table;
  }

  /** Entries in memory. O(tables). */
  get size(): number {
    let size = 0;
    for (const table of this.tables.values()) size += table.size;
    return size;
  }

  /** Total weight of all entries. */
  get weight(): number {
    return this.fresh.weight + this.kept.weight + this.idle.weight;
  }

  /**
   * Changes whenever entries were dropped. Callers that keep a value outside the cache look it up again after a change.
   */
  get generation(): number {
    return this.turns;
  }

  /** The weight of a cached entry has increased; `isFresh`: it was not looked up since it was added. */
  charge(weight: number, isFresh: boolean): void {
    (isFresh ? this.fresh : this.kept).weight += weight;
    this.options.onWeight?.(weight);
  }

  /** Drops entries that were not used since the last call, or only once in total. */
  shed(): void {
    this.drop('fresh');
    this.drop('idle');
    this.turn();
  }

  /** For tables: returns whether a new entry is accepted. Makes room for it if possible. */
  admit(key: string, value: V): boolean {
    if (this.isBeyond(WATCHED_PART)) this.makeRoom();
    if (this.isBeyond(1)) return false;
    const weight = this.weigh(key, value);
    this.fresh.add(weight);
    if (weight !== 0) this.options.onWeight?.(weight);
    return true;
  }

  /** For tables: an entry was looked up. */
  moved(from: 'fresh' | 'idle', key: string, value: V): void {
    const weight = this.weigh(key, value);
    this[from].remove(weight);
    this.kept.add(weight);
  }

  private weigh(key: string, value: V): number {
    return this.options.weigh?.(key, value) ?? 0;
  }

  private isBeyond(part: number): boolean {
    const entries = this.fresh.entries + this.kept.entries + this.idle.entries;
    return entries >= this.options.maxEntries * part || this.weight >= this.maxWeight * part;
  }

  private makeRoom(): void {
    const now = this.now();
    if (now - this.turnedAt < IDLE_MS) return;
    this.turnedAt = now;
    if (this.isBeyond(1)) this.drop('fresh');
    this.drop('idle');
    this.turn();
  }

  /** Starts to track which entries are looked up. */
  private turn(): void {
    this.turns++;
    this.idle.takeFrom(this.kept);
    for (const table of this.tables.values()) table.turn();
    this.forgetEmptyTables();
  }

  private drop(which: 'fresh' | 'idle'): void {
    const load = this[which];
    const { weight } = load;
    load.entries = load.weight = 0;
    this.turns++;
    for (const table of this.tables.values()) table.drop(which, this.options.onDrop);
    this.forgetEmptyTables();
    if (weight !== 0) this.options.onWeight?.(-weight);
  }

  private forgetEmptyTables(): void {
    for (const [id, table] of this.tables) if (table.size === 0) this.tables.delete(id);
  }
}

/** One key space of a GenerationCache. */
export class GenerationTable<V> {
  private fresh = new Map<string, V>();
  private kept = new Map<string, V>();
  private idle = new Map<string, V>();

  constructor(private readonly cache: GenerationCache<V>) {}

  get(key: string): V | undefined {
    return this.kept.get(key) ?? this.keep(key, 'idle') ?? this.keep(key, 'fresh');
  }

  /** Replaces the value of a key, or adds a new one. False if there is no room for it. */
  set(key: string, value: V): boolean {
    if (this.get(key) !== undefined) this.kept.set(key, value);
    else if (this.cache.admit(key, value)) this.fresh.set(key, value);
    else return false;
    return true;
  }

  delete(key: string): void {
    this.fresh.delete(key);
    this.kept.delete(key);
    this.idle.delete(key);
  }

  clear(): void {
    this.fresh.clear();
    this.kept.clear();
    this.idle.clear();
  }

  /** All cached entries, in no order; iterating does not count as a lookup. */
  *entries(): Generator<[key: string, value: V]> {
    yield* this.fresh;
    yield* this.kept;
    yield* this.idle;
  }

  get size(): number {
    return this.fresh.size + this.kept.size + this.idle.size;
  }

  /** Called by the cache after it has dropped idle entries. */
  turn(): void {
    this.idle = this.kept;
    this.kept = new Map();
  }

  /** For the cache. */
  drop(which: 'fresh' | 'idle', onDrop: ((value: V) => void) | undefined): void {
    if (onDrop !== undefined) for (const value of this[which].values()) onDrop(value);
    this[which] = new Map();
  }

  private keep(key: string, from: 'fresh' | 'idle'): V | undefined {
    const value = this[from].get(key);
    if (value === undefined) return undefined;
    this[from].delete(key);
    this.kept.set(key, value);
    this.cache.moved(from, key, value);
    return value;
  }
}
