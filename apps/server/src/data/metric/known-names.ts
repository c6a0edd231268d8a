import { type MetricType } from '#libs/contracts';
import { GenerationCache, type GenerationTable } from '#libs/protocols';
import { type KnownName } from './metric-registry.repository.js';
import { rankOf } from './type-rank.js';

/** What the registry remembers of a name, about 200 bytes with the name. */
export class KnownMetric {
  /** 0: no metric; only what exclusions say of the name is remembered. */
  id = 0;
  type: MetricType = 'gauge';
  typeRank = 0;
  unit: string | null = null;
  description: string | null = null;
  /** Generation of the exclusions that `isExcluded` was asked of. */
  exclusions = -1;
  isExcluded = false;
  /** Unix seconds at which a change of type, unit or description was last taken up. */
  describedAt = -Infinity;
}

/** What a name takes besides its characters, which take two bytes each at most. */
const BYTES_PER_NAME = 150;

function bytesOf(name: string): number {
  return BYTES_PER_NAME + 2 * name.length;
}

/** Distinct units and texts kept for sharing; metrics of a family have the same. */
const SHARED_TEXTS = 20_000;

/** Name → metric, for all organisations; bounded, so what is not asked for is forgotten and looked up again. */
export class KnownNames {
  private readonly cache: GenerationCache<KnownMetric>;
  private readonly texts = new Map<string, string>();

  /** @param maxBytes rough bound of the memory taken */
  constructor(maxNames: number, maxBytes = Infinity) {
    this.cache = new GenerationCache({ maxEntries: maxNames, maxWeight: maxBytes, weigh: bytesOf });
  }

  get size(): number {
    return this.cache.size;
  }

  /** Not to be kept: it may be let go as soon as something is remembered. */
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

  /** What has become of a metric, if it is remembered. */
  update(orgId: number, row: KnownName): void {
    if (this.getTable(orgId).get(row.name) !== undefined) this.remember(orgId, row.name, row);
  }

  forget(orgId: number, names: Iterable<string>): void {
    const table = this.getTable(orgId);
    for (const name of names) table.delete(name);
  }

  /** O(names of the organisation), for what happens seldom. */
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
