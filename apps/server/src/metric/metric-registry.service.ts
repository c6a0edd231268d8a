import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type RefusalReason } from '#libs/contracts';
import { type ProgressColumns, type SeriesDefinition } from '#libs/detection';
import { type SeriesHeader } from '#libs/protocols';
import { Transactions, type Tx } from '../common/database/transactions.js';
import { type KnownName, MetricRegistryRepository } from './metric-registry.repository.js';

export interface ResolvedSeries {
  /** Metric id per header; 0 = refused. */
  ids: Uint32Array;
  /** Why, by index of the header. */
  refused: Map<number, RefusalReason>;
}

/** What detection must know of a metric. */
export interface RegisteredSeries extends SeriesDefinition {
  orgId: number;
}

/** Names kept in memory, about 300 bytes each; least recently seen names go first and are looked up again when they send. */
const CACHED_NAMES = 1_000_000;
/** So long an erased or removed metric may go unnoticed by other processes. */
const CACHE_SECONDS = 600;
/** So long a name refused over quota is not asked for again. */
const REFUSAL_SECONDS = 10;

/** Name → metric id, for every body that arrives: from memory, or in one query for all names not yet seen. */
@Injectable()
export class MetricRegistry {
  private readonly idByName = new LRUCache<string, number>({ max: CACHED_NAMES, ttl: CACHE_SECONDS * 1000 });
  private readonly overQuota = new LRUCache<string, true>({ max: CACHED_NAMES / 10, ttl: REFUSAL_SECONDS * 1000 });
  /** One look-up at a time per organisation: the second of two bodies with the same new names finds them in memory. */
  private readonly admissions = new Map<number, Promise<unknown>>();

  constructor(
    private readonly transactions: Transactions,
    private readonly metrics: MetricRegistryRepository,
  ) {}

  /**
   * Ids of the metrics of a body. New names become metrics while the organisation's metric_limit allows; the others are
   * refused `over_quota`. A metric that was taken out of the quota and sends again counts anew. Type, aggregation, unit
   * and description are those of the first body.
   * @param source service id of the sender
   */
  async resolve(orgId: number, source: string, headers: readonly SeriesHeader[]): Promise<ResolvedSeries> {
    const remembered = this.remembered(orgId, headers);
    if (remembered.unknown.length === 0) return remembered;
    const admitted = await this.inTurn(orgId, () => this.admit(orgId, source, remembered.unknown));
    return fill(remembered, headers, admitted);
  }

  /** What `resolve` would answer at this moment, without making or restoring a metric; ids of new metrics are 0. */
  async probe(orgId: number, headers: readonly SeriesHeader[]): Promise<ResolvedSeries> {
    const remembered = this.remembered(orgId, headers);
    if (remembered.unknown.length === 0) return remembered;
    const ids = await this.transactions.run(async (tx) => {
      const active = idsOfActive(await this.metrics.findByHash(orgId, remembered.unknown.map(hashOf), tx));
      const room = (await this.metrics.lockQuota(orgId, tx)) ?? Infinity;
      const wanting = remembered.unknown.filter(({ name }) => !active.has(name));
      for (const { name } of wanting.slice(0, Math.min(room, wanting.length))) active.set(name, 0);
      return active;
    });
    return fill(remembered, headers, ids);
  }

  /** Ids of the metrics among `names` that exist and are not removed. Makes none. */
  async idsOf(orgId: number, names: readonly string[]): Promise<Map<string, number>> {
    const ids = this.inMemory(orgId, names);
    const unknown = names.filter((name) => !ids.has(name)).map((name) => ({ name }));
    if (unknown.length === 0) return ids;
    const found = await this.metrics.findByHash(orgId, unknown.map(hashOf));
    for (const [name, id] of idsOfActive(found)) ids.set(name, id);
    return ids;
  }

  /** Metrics of all organisations by id, for detection; erased ones are left out. */
  definitions(ids: readonly number[]): Promise<RegisteredSeries[]> {
    return this.metrics.findSeries(ids);
  }

  /** Where the learning of metrics stands. Absolute values: repeating it changes nothing. */
  async recordProgress(progress: ProgressColumns, tx: Tx): Promise<void> {
    if (progress.ids.length > 0) await this.metrics.updateProgress(progress, tx);
  }

  /** These series count up, though nobody said so: those of them that nobody has described are counters from now on. */
  async noteCounter(ids: readonly number[]): Promise<void> {
    await this.metrics.turnIntoCounters(ids);
  }

  /** To be called when metrics were erased or taken out of the quota. */
  forget(orgId: number, names: readonly string[]): void {
    for (const name of names) this.idByName.delete(keyOf(orgId, name));
  }

  /** Ids of the names that have been seen lately. */
  private inMemory(orgId: number, names: readonly string[]): Map<string, number> {
    const ids = new Map<string, number>();
    for (const name of names) {
      const id = this.idByName.get(keyOf(orgId, name));
      if (id !== undefined) ids.set(name, id);
    }
    return ids;
  }

  private remembered(orgId: number, headers: readonly SeriesHeader[]): Remembered {
    const ids = new Uint32Array(headers.length);
    const refused = new Map<number, RefusalReason>();
    const unknown = new Map<string, SeriesHeader>();
    headers.forEach((header, index) => {
      const key = keyOf(orgId, header.name);
      const id = this.idByName.get(key);
      if (id !== undefined) ids[index] = id;
      else if (this.overQuota.has(key)) refused.set(index, 'over_quota');
      else unknown.set(header.name, header);
    });
    return { ids, refused, unknown: [...unknown.values()] };
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

  /** Ids by name; names that are not among them are over quota. */
  private async admit(orgId: number, source: string, headers: readonly SeriesHeader[]): Promise<Map<string, number>> {
    // Bodies that were in front of this one may have made some of the names known.
    const ids = this.inMemory(
      orgId,
      headers.map(({ name }) => name),
    );
    const unknown = headers.filter(({ name }) => !ids.has(name));
    if (unknown.length === 0) return ids;
    const hashes = unknown.map(hashOf);
    let active = idsOfActive(await this.metrics.findByHash(orgId, hashes));
    if (active.size < unknown.length) {
      active = await this.transactions.run((tx) => this.create(orgId, source, unknown, hashes, tx));
    }
    for (const { name } of unknown) {
      const id = active.get(name);
      if (id === undefined) {
        this.overQuota.set(keyOf(orgId, name), true);
      } else {
        this.idByName.set(keyOf(orgId, name), id);
        ids.set(name, id);
      }
    }
    return ids;
  }

  private async create(
    orgId: number,
    source: string,
    headers: readonly SeriesHeader[],
    hashes: readonly Buffer[],
    tx: Tx,
  ): Promise<Map<string, number>> {
    const room = (await this.metrics.lockQuota(orgId, tx)) ?? Infinity;
    const found = await this.metrics.findByHash(orgId, hashes, tx);
    const active = idsOfActive(found);
    const removed = new Map(found.filter(({ isRemoved }) => isRemoved).map(({ name, id }) => [name, id]));
    const wanting = headers
      .map((header, index) => ({ header, nameHash: hashes[index]! }))
      .filter(({ header }) => !active.has(header.name));
    const admitted = wanting.slice(0, Math.min(room, wanting.length));
    const returning = admitted.flatMap(({ header }) => removed.get(header.name) ?? []);
    const created = admitted.filter(({ header }) => !removed.has(header.name));
    if (returning.length > 0) await this.metrics.restore(orgId, returning, tx);
    if (created.length > 0) await this.metrics.insert(orgId, source, created, tx);
    return idsOfActive(await this.metrics.findByHash(orgId, hashes, tx));
  }
}

interface Remembered extends ResolvedSeries {
  /** Headers of names that are neither known nor lately refused, each name once. */
  unknown: SeriesHeader[];
}

const keyOf = (orgId: number, name: string): string => `${String(orgId)} ${name}`;

const hashOf = ({ name }: { name: string }): Buffer => createHash('sha256').update(name).digest();

const idsOfActive = (names: readonly KnownName[]): Map<string, number> =>
  new Map(names.filter(({ isRemoved }) => !isRemoved).map(({ name, id }) => [name, id]));

/** `remembered` completed with ids looked up; names that were asked for and have no id are over quota. */
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
