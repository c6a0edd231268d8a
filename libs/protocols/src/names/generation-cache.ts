export interface GenerationCacheOptions<V> {
  /** Entries of both generations of all tables. */
  maxEntries: number;
  /** Sum of what `weigh` says of the entries, in whatever unit it counts. */
  maxWeight?: number;
  weigh?: (key: string, value: V) => number;
  /** Told of every change of `weight`, after it: who shares out memory among several caches. */
  onWeight?: (change: number) => void;
  /** Called for every evicted value (not for deleted ones). */
  onDrop?: (value: V) => void;
}

/**
 * A bounded cache in two generations. Entries are put into the young one; when it holds half of what is allowed, it
 * becomes the old one and what was old is dropped. An entry that is found in the old generation moves to the young one. So
 * a hit on what is in steady use costs one look-up and writes nothing, which a list in order of use cannot do.
 *
 * Keys live in tables that share the bound: names of two protocols or of two organisations never meet.
 * What is asked for in turn stays in the cache while it is at most half of the bound; between that and the whole bound a
 * part of it does.
 */
export class GenerationCache<V> {
  private readonly tables = new Map<string | number, GenerationTable<V>>();
  private readonly maxYoungEntries: number;
  private readonly maxYoungWeight: number;
  private youngEntries = 0;
  private youngWeight = 0;
  private oldWeight = 0;
  private turns = 0;

  constructor(private readonly options: GenerationCacheOptions<V>) {
    this.maxYoungEntries = options.maxEntries / 2;
    this.maxYoungWeight = (options.maxWeight ?? Infinity) / 2;
  }

  /** The table of that name, made at the first call. Do not hold on to it: a table that has become empty is let go. */
  table(id: string | number): GenerationTable<V> {
    let table = this.tables.get(id);
    if (table === undefined) {
      table = new GenerationTable<V>((key, value) => this.grew(key, value));
      this.tables.set(id, table);
    }
    return table;
  }

  /** Entries in memory, in both generations. O(tables). */
  get size(): number {
    let size = 0;
    for (const table of this.tables.values()) size += table.size;
    return size;
  }

  /** What the entries of both generations weigh; an entry that has moved from the old one to the young one counts twice. */
  get weight(): number {
    return this.youngWeight + this.oldWeight;
  }

  /** How often the generations have turned. Who remembers a value outside the cache asks again when this has changed. */
  get generation(): number {
    return this.turns;
  }

  /** An entry that is in the cache has become heavier. */
  charge(weight: number): void {
    this.youngWeight += weight;
    this.options.onWeight?.(weight);
    if (this.youngWeight >= this.maxYoungWeight) this.turn();
  }

  private grew(key: string, value: V): void {
    const { weigh } = this.options;
    this.youngEntries++;
    if (weigh !== undefined) {
      const weight = weigh(key, value);
      this.youngWeight += weight;
      this.options.onWeight?.(weight);
    }
    if (this.youngEntries >= this.maxYoungEntries || this.youngWeight >= this.maxYoungWeight) this.turn();
  }

  /** Drops what has not been asked for since the last turn. */
  turn(): void {
    const dropped = this.oldWeight;
    this.youngEntries = 0;
    this.oldWeight = this.youngWeight;
    this.youngWeight = 0;
    this.turns++;
    for (const [id, table] of this.tables) {
      table.turn(this.options.onDrop);
      if (table.size === 0) this.tables.delete(id);
    }
    if (dropped > 0) this.options.onWeight?.(-dropped);
  }
}

/** One key space of a GenerationCache. */
export class GenerationTable<V> {
  private young = new Map<string, V>();
  private old = new Map<string, V>();

  constructor(private readonly grew: (key: string, value: V) => void) {}

  get(key: string): V | undefined {
    const value = this.young.get(key);
    if (value !== undefined) return value;
    return this.promote(key);
  }

  set(key: string, value: V): void {
    this.old.delete(key);
    const isNew = !this.young.has(key);
    this.young.set(key, value);
    if (isNew) this.grew(key, value);
  }

  delete(key: string): void {
    this.young.delete(key);
    this.old.delete(key);
  }

  clear(): void {
    this.young.clear();
    this.old.clear();
  }

  /** Everything in memory, in no order. Nothing moves between generations by it. */
  *entries(): Generator<[key: string, value: V]> {
    yield* this.young;
    yield* this.old;
  }

  get size(): number {
    return this.young.size + this.old.size;
  }

  /** For the cache: the young become the old, the old are dropped. */
  turn(onDrop: ((value: V) => void) | undefined): void {
    if (onDrop !== undefined) for (const value of this.old.values()) onDrop(value);
    this.old = this.young;
    this.young = new Map();
  }

  private promote(key: string): V | undefined {
    const value = this.old.get(key);
    if (value === undefined) return undefined;
    this.old.delete(key);
    this.young.set(key, value);
    this.grew(key, value);
    return value;
  }
}
