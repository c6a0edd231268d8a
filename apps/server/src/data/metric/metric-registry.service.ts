import { getHeapStatistics } from 'node:v8';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { type MetricState, type RefusalReason } from '#libs/contracts';
import { type ProgressColumns, type SeriesDefinition, type SeriesTerms } from '#libs/detection';
import { labelsOf, type MetricMetadata, type SeriesHeader } from '#libs/protocols';
import { afterCommit, Transactions, type Tx } from '../../common/database/transactions.js';
import { KnownMetric, KnownNames } from './known-names.js';
import { MetricDescriptionsService } from './metric-descriptions.service.js';
import { type KnownName, MetricRegistryRepository, type OrgOfNewMetrics } from './metric-registry.repository.js';
import { type NewMetric, typed } from './new-metric-kinds.js';
import { NewSeries } from './new-series.js';
import { type ExclusionSource, type TermsSource } from './metric-registry.types.js';
import { RegistryChangesService } from './registry-changes.service.js';
import { RegistryEventsService } from './registry-events.service.js';

export interface ResolvedSeries {
  /** Metric id per header; 0 = refused. */
  ids: Uint32Array;
  /** Reason of each refusal, by index of the header. */
  refused: Map<number, RefusalReason>;
}

/** The properties of a metric that detection needs. */
export interface RegisteredSeries extends SeriesDefinition {
  orgId: number;
  /** The type is unknown. If the values show a counter, call MetricRegistryService.noteCounter. */
  mayBeCounter: boolean;
}

/**
 * Maximum number of cached names, about 200 bytes each. Names that have not been sent for longest are evicted first,
 * and looked up again when they are sent.
 */
const CACHED_NAMES = 2_000_000;
/** Maximum shares of the heap for cached names, because names may be long. */
const KNOWN_PART = 1 / 8;
const REFUSED_PART = 1 / 64;
const BYTES_PER_REFUSED_NAME = 100;
const HEAP_BYTES = getHeapStatistics().heap_size_limit;
/** A name refused over quota is not looked up again for this time, after which a higher limit takes effect. */
const REFUSAL_SECONDS = 4;

/** Rate of new metrics (number, seconds) above which lists and searches find further ones later. */
const SEARCHABLE_AT_ONCE = { points: 10_000, duration: 10 };

/** State of a metric at its creation. */
const NEW_STATE: MetricState = 'active';

const NO_EXCLUSIONS: ExclusionSource = { generation: () => 0, excludes: () => false };
const DEFAULT_TERMS: TermsSource = { termsOf: (_orgId, metrics) => Promise.resolve(metrics.map(() => null)) };

/** Name → metric id, for every body that arrives: from the cache, or in one query for all names that are not cached. */
@Injectable()
export class MetricRegistryService {
  private readonly names = new KnownNames(CACHED_NAMES, HEAP_BYTES * KNOWN_PART);
  private readonly overQuota = new LRUCache<string, true>({
    maxSize: Math.ceil(HEAP_BYTES * REFUSED_PART),
    sizeCalculation: (_, key) => BYTES_PER_REFUSED_NAME + 2 * key.length,
    ttl: REFUSAL_SECONDS * 1000,
  });
  /**
   * One lookup at a time per organisation: the second of two bodies with the same new names finds them in the cache.
   */
  private readonly admissions = new Map<number, Promise<unknown>>();
  private readonly searchRows = new RateLimiterMemory(SEARCHABLE_AT_ONCE);
  private readonly newSeries = new NewSeries();
  /**
   * Organisations whose last lookup found none of the names. Their next names are inserted without a lookup; the insert
   * reports those that exist.
   */
  private readonly isMakingAll = new Set<number>();
  /** Number of evictions by changes: rows that were read before an eviction must not be cached after it. */
  private forgotten = 0;
  private exclusions = NO_EXCLUSIONS;
  private terms = DEFAULT_TERMS;

  constructor(
    private readonly transactions: Transactions,
    private readonly metrics: MetricRegistryRepository,
    private readonly descriptions: MetricDescriptionsService,
    private readonly changes: RegistryChangesService,
    private readonly events: RegistryEventsService,
  ) {
    changes.subscribe(({ orgId, kind, metricIds }, isOwn) => {
      if (kind !== 'quota_exceeded' && !isOwn) this.forgetIds(orgId, metricIds);
    });
    descriptions.subscribe((orgId, rows, stale) => {
      for (const row of rows) this.names.update(orgId, row);
      this.newSeries.forget(rows.map(({ id }) => id));
      if (stale.length > 0) this.forget(orgId, stale);
    });
  }

  /** Sets the source of exclusions. Without it, all names are analysed. */
  useExclusions(source: ExclusionSource): void {
    this.exclusions = source;
  }

  /** Sets the source of the detection terms of new metrics. Without it, they get the defaults. */
  useTerms(source: TermsSource): void {
    this.terms = source;
  }

  /**
   * Ids of the metrics of a body. New names become metrics up to the metric_limit of the organisation; the others are
   * refused as `over_quota`. Names that the organisation excludes are refused as `excluded` and create no metric. A
   * removed metric that sends again counts against the quota again. The aggregation is that of the first body; type,
   * unit and description follow later bodies that differ.
   * @param source service id of the sender
   */
  async resolve(orgId: number, source: string, headers: readonly SeriesHeader[]): Promise<ResolvedSeries> {
    const remembered = this.remembered(orgId, headers, source);
    if (remembered.unknown.length === 0) return remembered;
    const admitted = await this.inTurn(orgId, () => this.admit(orgId, source, remembered.unknown));
    return fill(remembered, headers, admitted);
  }

  /** The result that `resolve` would have now, without creating or changing a metric; ids of new metrics are 0. */
  async probe(orgId: number, headers: readonly SeriesHeader[]): Promise<ResolvedSeries> {
    const remembered = this.remembered(orgId, headers);
    if (remembered.unknown.length === 0) return remembered;
    const ids = await this.transactions.run(async (tx) => {
      const active = idsOfActive(await this.metrics.findByName(orgId, remembered.unknown.map(nameOf), tx));
      const { room } = await this.metrics.lockOrg(orgId, tx);
      const wanting = remembered.unknown.filter(({ name }) => !active.has(name));
      for (const { name } of wanting.slice(0, Math.min(room, wanting.length))) active.set(name, 0);
      return active;
    });
    return fill(remembered, headers, ids);
  }

  /** Ids of the metrics among `names` that exist and are not removed. Creates none. */
  async findIds(orgId: number, names: readonly string[]): Promise<Map<string, number>> {
    const ids = this.inMemory(orgId, names);
    const unknown = names.filter((name) => !ids.has(name));
    if (unknown.length === 0) return ids;
    const found = await this.metrics.findByName(orgId, unknown);
    for (const [name, id] of idsOfActive(found)) ids.set(name, id);
    return ids;
  }

  /** Metrics of all organisations by id, for detection; erased ones are omitted. */
  async definitions(ids: readonly number[]): Promise<RegisteredSeries[]> {
    const fresh = ids.flatMap((id) => this.newSeries.take(id) ?? []);
    if (fresh.length === ids.length) return fresh;
    const isFresh = new Set(fresh.map(({ id }) => id));
    return [...fresh, ...(await this.metrics.findSeries(ids.filter((id) => !isFresh.has(id))))];
  }

  /** The detection terms by the numbers that the point log uses. */
  findTerms(ids: readonly number[]): Promise<Map<number, SeriesTerms>> {
    return this.metrics.findTerms(ids);
  }

  /** Stores the learning progress of metrics. The values are absolute, so a repeated call changes nothing. */
  async recordProgress(progress: ProgressColumns, tx: Tx): Promise<void> {
    if (progress.ids.length > 0) await this.metrics.updateProgress(progress, tx);
  }

  /**
   * Applies Prometheus metadata of metric families: sets type (unless a sender has given one), unit and description of
   * their metrics, including those created later. Metadata that was applied recently is skipped.
   */
  applyMetadata(orgId: number, metadata: readonly MetricMetadata[]): Promise<void> {
    return this.descriptions.applyMetadata(orgId, metadata);
  }

  /**
   * Sets the type of metrics (of any organisations) whose values show that they are counters. Metrics with a known type
   * are ignored.
   */
  noteCounter(ids: readonly number[]): Promise<void> {
    return this.descriptions.noteCounters(ids);
  }

  /**
   * Removes metrics from the quota until they send again; returns the ids of those that counted against it. All
   * processes learn of it within seconds, and listeners of RegistryChangesService are notified. The caller records the
   * event.
   */
  async remove(orgId: number, ids: readonly number[]): Promise<number[]> {
    const { removed, change } = await this.transactions.run(async (tx) => {
      const removed = await this.metrics.remove(orgId, ids, tx);
      if (removed.length === 0) return { removed, change: null };
      return {
        removed,
        change: await this.changes.write({ orgId, kind: 'removed', metricIds: removed, metricType: null }, tx),
      };
    });
    if (change === null) return removed;
    this.forgetIds(orgId, removed);
    this.changes.announce(change);
    return removed;
  }

  /** Erases a metric with its anomalies. The caller erases its points in the series store. Otherwise like `remove`. */
  async erase(orgId: number, id: number): Promise<boolean> {
    const change = await this.transactions.run(async (tx) => {
      if (!(await this.metrics.erase(orgId, id, tx))) return null;
      return this.changes.write({ orgId, kind: 'erased', metricIds: [id], metricType: null }, tx);
    });
    if (change === null) return false;
    this.forgetIds(orgId, [id]);
    this.changes.announce(change);
    return true;
  }

  /** Call it after other code has erased or changed metrics. */
  forget(orgId: number, names: readonly string[]): void {
    this.forgotten++;
    this.names.forget(orgId, names);
  }

  private forgetIds(orgId: number, ids: readonly number[]): void {
    this.forgotten++;
    this.names.forgetIds(orgId, ids);
    this.newSeries.forget(ids);
  }

  /** Cached ids of the names. */
  private inMemory(orgId: number, names: readonly string[]): Map<string, number> {
    const table = this.names.getTable(orgId);
    const ids = new Map<string, number>();
    for (const name of names) {
      const id = table.get(name)?.id ?? 0;
      if (id !== 0) ids.set(name, id);
    }
    return ids;
  }

  /** @param source if given, the headers are also compared with the known metrics */
  private remembered(orgId: number, headers: readonly SeriesHeader[], source?: string): Remembered {
    const ids = new Uint32Array(headers.length);
    const refused = new Map<number, RefusalReason>();
    const unknown = new Map<string, SeriesHeader>();
    const table = this.names.getTable(orgId);
    const generation = this.exclusions.generation(orgId);
    for (let index = 0; index < headers.length; index++) {
      const header = headers[index]!;
      let known = table.get(header.name);
      if (known?.exclusions !== generation) known = this.judge(orgId, header.name, generation);
      if (known === undefined || (known.id === 0 && !known.isExcluded)) {
        if (this.overQuota.size > 0 && this.overQuota.has(keyOf(orgId, header.name))) refused.set(index, 'over_quota');
        // A body may have several headers with the same name: the first one describes a new metric.
        else if (!unknown.has(header.name)) unknown.set(header.name, header);
      } else if (known.isExcluded) {
        refused.set(index, 'excluded');
      } else {
        ids[index] = known.id;
        if (source !== undefined && (header.type !== null || header.unit !== null || header.description !== null)) {
          this.descriptions.compare(orgId, source, header, known);
        }
      }
    }
    return { ids, refused, unknown: [...unknown.values()] };
  }

  /**
   * Queries the exclusions for a name, once per generation. The result is not cached if the name is neither known nor
   * excluded.
   */
  private judge(orgId: number, name: string, generation: number): KnownMetric | undefined {
    const isExcluded = this.exclusions.excludes(orgId, name);
    const table = this.names.getTable(orgId);
    let known = table.get(name);
    if (known === undefined) {
      if (!isExcluded) return undefined;
      known = new KnownMetric();
      table.set(name, known);
    }
    known.exclusions = generation;
    known.isExcluded = isExcluded;
    return known;
  }

  private async inTurn<T>(orgId: number, work: () => Promise<T>): Promise<T> {
    const before = this.admissions.get(orgId) ?? Promise.resolve();
    const mine = before.catch(() => undefined).then(work);
    this.admissions.set(orgId, mine);
    try {
      return await mine;
    } finally {
      if (this.admissions.get(orgId) === mine) this.admissions.delete(orgId);
    }
  }

  /** Ids by name; missing names are over quota. */
  private async admit(orgId: number, source: string, headers: readonly SeriesHeader[]): Promise<Map<string, number>> {
    // An earlier body in the queue may have made some of the names known.
    const ids = this.inMemory(
      orgId,
      headers.map(({ name }) => name),
    );
    const unknown = headers.filter(({ name }) => !ids.has(name));
    if (unknown.length === 0) return ids;
    const { forgotten } = this;
    const found = this.isMakingAll.has(orgId) ? [] : await this.metrics.findByName(orgId, unknown.map(nameOf));
    let active = activeByName(found);
    this.isMakingAll.delete(orgId);
    if (active.size < unknown.length) {
      const created = await this.transactions.run((tx) => this.create(orgId, source, unknown, found, tx));
      active = created.active;
      if (created.created.length === unknown.length) this.isMakingAll.add(orgId);
      this.events.created(orgId, created.created);
      this.events.returned(orgId, created.returned);
      await this.events.refused(orgId, unknown.length - active.size);
    }
    const generation = this.exclusions.generation(orgId);
    for (const header of unknown) {
      const row = active.get(header.name);
      if (row === undefined) {
        this.overQuota.set(keyOf(orgId, header.name), true);
        continue;
      }
      ids.set(header.name, row.id);
      if (forgotten !== this.forgotten) continue;
      const known = this.names.remember(orgId, header.name, row);
      // Only names that are not excluded are admitted. If that changes in the meantime, the next body checks again.
      known.exclusions = generation;
      known.isExcluded = false;
      this.descriptions.compare(orgId, source, header, known);
    }
    return ids;
  }

  /** @param before rows of the names that were found before the lock was taken */
  private async create(
    orgId: number,
    source: string,
    headers: readonly SeriesHeader[],
    before: readonly KnownName[],
    tx: Tx,
  ): Promise<Admitted> {
    // Locks the row of the organisation: no other transaction creates metrics of it until this one ends.
    const org = { ...(await this.metrics.lockOrg(orgId, tx)), orgId };
    const { room } = org;
    const isShort = room < headers.length - activeByName(before).size;
    // Metrics that another process has created in the meantime use no place of the quota.
    const found = isShort ? await this.metrics.findByName(orgId, headers.map(nameOf), tx) : before;
    const active = activeByName(found);
    const removed = new Map(found.filter(({ isRemoved }) => isRemoved).map((row) => [row.name, row]));
    const wanting = headers.filter(({ name }) => !active.has(name));
    const admitted = wanting.slice(0, Math.min(room, wanting.length));
    const returned = admitted.flatMap(({ name }) => removed.get(name) ?? []);
    const isNew = admitted.filter(({ name }) => !removed.has(name));
    if (returned.length > 0) {
      const ids = returned.map(({ id }) => id);
      await this.metrics.restore(orgId, ids, tx);
    }
    const { created, taken } = await this.insert(org, source, isNew, tx);
    for (const row of [...returned, ...created]) active.set(row.name, row);
    if (taken.length === 0) return { active, created, returned };
    const theirs = await this.create(
      orgId,
      source,
      taken,
      await this.metrics.findByName(orgId, taken.map(nameOf), tx),
      tx,
    );
    return {
      active: new Map([...active, ...theirs.active]),
      created,
      returned: [...returned, ...theirs.returned],
    };
  }

  /** True if the organisation creates metrics faster than lists and searches are updated. */
  private isFlood(orgId: number, count: number): Promise<boolean> {
    return this.searchRows.consume(orgId, count).then(
      () => false,
      () => true,
    );
  }

  /** `taken`: names that another process has created in the meantime. */
  private async insert(
    org: OrgOfNewMetrics & { orgId: number },
    source: string,
    headers: readonly SeriesHeader[],
    tx: Tx,
  ): Promise<{ created: KnownName[]; taken: SeriesHeader[] }> {
    if (headers.length === 0) return { created: [], taken: [] };
    const { orgId } = org;
    const described = headers.map((header) => ({
      header,
      labels: labelsOf(header.name),
      ...typed(this.descriptions.describeNew(orgId, source, header)),
    }));
    const targets = described.map(({ header: { name }, labels, type }) => {
      return { name, labels, source, type, state: NEW_STATE };
    });
    const terms = await this.terms.termsOf(orgId, targets, tx);
    const rows = described.map((metric, index) => ({ ...metric, termsId: terms[index] ?? null }));
    const isSearchBehind = await this.isFlood(orgId, rows.length);
    const ids = await this.metrics.insert(orgId, source, rows, isSearchBehind, tx);
    afterCommit(tx, () => {
      rows.forEach((row, index) => {
        if (ids[index] !== 0) this.newSeries.keep(ids[index]!, source, org, row);
      });
    });
    return {
      created: rows.flatMap((row, index) => (ids[index] === 0 ? [] : toKnownName(row, ids[index]!))),
      taken: headers.filter((_, index) => ids[index] === 0),
    };
  }
}

interface Remembered extends ResolvedSeries {
  /** Headers whose names are neither known nor recently refused, each name once. */
  unknown: SeriesHeader[];
}

interface Admitted {
  /** The metrics that may send, by name. */
  active: Map<string, KnownName>;
  created: KnownName[];
  returned: KnownName[];
}

const keyOf = (orgId: number, name: string): string => `${String(orgId)} ${name}`;

const nameOf = ({ name }: { name: string }): string => name;

/** A metric at its creation. */
function toKnownName({ header, type, typeSource, unit, description }: NewMetric, id: number): KnownName {
  return { id, name: header.name, isRemoved: false, type, typeSource, unit, description };
}

const activeByName = (names: readonly KnownName[]): Map<string, KnownName> =>
  new Map(names.filter(({ isRemoved }) => !isRemoved).map((row) => [row.name, row]));

const idsOfActive = (names: readonly KnownName[]): Map<string, number> =>
  new Map(names.filter(({ isRemoved }) => !isRemoved).map(({ name, id }) => [name, id]));

/** `remembered` completed with ids that were looked up; names without an id are over quota. */
function fill(
  { ids, refused, unknown }: Remembered,
  headers: readonly SeriesHeader[],
  found: ReadonlyMap<string, number>,
): ResolvedSeries {
  const asked = new Set(unknown.map(({ name }) => name));
  headers.forEach(({ name }, index) => {
    if (!asked.has(name)) return;
    const id = found.get(name);
    if (id === undefined) refused.set(index, 'over_quota');
    else ids[index] = id;
  });
  return { ids, refused };
}
