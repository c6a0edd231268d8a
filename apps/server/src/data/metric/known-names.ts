import { type MetricType } from '#libs/contracts';
import { GenerationCache, type GenerationTable } from '#libs/protocols';
import { type KnownName } from './metric-registry.repository.js';
import { rankOf } from './type-rank.js';

/** What the registry caches about a name: about 200 bytes including the name. */
export class KnownMetric {
  /** 0: no metric. Only the decision of the exclusions about the name is cached. */
  id = 0;
  type: MetricType = 'gauge';
  typeRank = 0;
  unit: string | null = null;
  description: string | null = null;
  /** Generation of the exclusions for which `isExcluded` is valid. */
  exclusions = -1;
  isExcluded = false;
  /** Unix seconds of the last accepted change of type, unit or description. */
  describedAt = -Infinity;
}

/** Size of an entry without its characters, which take at most two bytes each. */
const BYTES_PER_NAME = 150;

function bytesOf(name: string): number {
  return BYTES_PER_NAME + 2 * name.length;
}

/** Maximum number of distinct units and texts kept for sharing: metrics of one family have the same ones. */
const SHARED_TEXTS = 20_000;

/**
 * Cache of name → metric for all organisations. It is bounded: names that are not requested are evicted and looked up
 * again when needed.
 */
export class KnownNames {
  private readonly cache: GenerationCache<KnownMetric>;
  private readonly texts = new Map<string, string>();

  /** @param maxBytes approximate limit of the memory */
  constructor(maxNames: number, maxBytes = Infinity) {
    this.cache = new GenerationCache({ maxEntries: maxNames, maxWeight: maxBytes, weigh: bytesOf });
  }

  get size(): number {
    return this.cache.size;
  }

  /** Do not keep the result: it may be evicted as soon as another name is added. */
  getTable(orgId: number): GenerationTable<KnownMetric> {
    return this.cache.table(orgId);
  }

  /** @param name the text that is kept as the key */
  remember(orgId: number, name: string, row: KnownName): KnownMetric {
    const table = this.getTable(orgId);
    let known = table.get(name);
    if (known === undefined) {
      known = new KnownMetric();
      table.set(name, known);
    }
    known.id = row.id;
    known.type = row.type;
    known.typeRank = rankOf(row.typeSource);
    known.unit = this.share(row.unit);
    known.description = this.share(row.description);
    return known;
  }

  /** Updates a metric after a change, if it is cached. */
  update(orgId: number, row: KnownName): void {
    if (this.getTable(orgId).get(row.name) !== undefined) this.remember(orgId, row.name, row);
  }

  forget(orgId: number, names: Iterable<string>): void {
    const table = this.getTable(orgId);
    for (const name of names) table.delete(name);
  }

  /** O(names of the organisation), for rare operations. */
  forgetIds(orgId: number, ids: readonly number[]): void {
    const meant = new Set(ids);
    const table = this.getTable(orgId);
    const found: string[] = [];
    for (const [name, { id }] of table.entries()) if (meant.has(id)) found.push(name);
    for (const name of found) table.delete(name);
  }

  private share(text: string | null): string | null {
    if (text === null) return null;
    const shared = this.texts.get(text);
    if (shared !== undefined) return shared;
    if (this.texts.size >= SHARED_TEXTS) this.texts.clear();
    this.texts.set(text, text);
    return text;
  }
}
