import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { METRIC_TYPES } from '#libs/contracts';
import { displayNameOf, type MetricMetadata, type SeriesHeader } from '#libs/protocols';
import { Clock } from '../../common/clock.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { messageOf } from '../../common/errors/message-of.js';
import { FlushBuffer } from '../../common/flush-buffer.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { KnownMetric } from './known-names.js';
import { type FamilyMember, membersOfFamily } from './metric-families.js';
import { type DescribedRow, type DescriptionUpdate, MetricRegistryRepository } from './metric-registry.repository.js';
import { type MetricDescription, type TypeSource } from './metric-registry.types.js';
import { rankOf } from './type-rank.js';
import { RegistryChangesService } from './registry-changes.service.js';
import { type WrittenChange } from './registry-changes.repository.js';

/**
 * Called with changed rows, before any other listener.
 * @param stale names of metrics whose cached data turned out to be outdated
 */
export type DescribedListener = (orgId: number, rows: readonly DescribedRow[], stale: readonly string[]) => void;

const WRITE_AFTER_MS = 1000;
/** If two senders describe a metric differently, it changes at most this often. */
const SECONDS_BETWEEN_CHANGES = 60;
/** Maximum number of changes that wait to be written. Further ones wait for the next body of their metric. */
const MAX_WAITING = 50_000;
const BATCH = 5000;

/** A name may have thousands of metrics, whose rows stay locked until all of them are written. */
const NAMES_AT_ONCE = 100;

/** Number of names whose metadata is cached. */
const REMEMBERED_MEMBERS = 200_000;
/** After this time metadata is applied again, for metrics that other processes have created in the meantime. */
const MEMBERS_REMEMBERED_SECONDS = 600;

const EXPLICIT = rankOf('explicit');

interface WaitingUpdate extends DescriptionUpdate {
  orgId: number;
  name: string;
}

/** Updates type, unit and description of metrics that are sent or detected after the metric was created. */
@Injectable()
export class MetricDescriptionsService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(MetricDescriptionsService.name);
  // `max` would allocate memory for all entries at the start.
  private readonly members = new LRUCache<string, FamilyMember>({
    maxSize: REMEMBERED_MEMBERS,
    sizeCalculation: () => 1,
    ttl: MEMBERS_REMEMBERED_SECONDS * 1000,
  });
  private readonly listeners: DescribedListener[] = [];
  private readonly waiting = new FlushBuffer<number, WaitingUpdate>({
    write: (batch) => this.writeBatch([...batch.values()]),
    afterMs: WRITE_AFTER_MS,
    batch: BATCH,
    max: MAX_WAITING,
  });

  constructor(
    private readonly transactions: Transactions,
    private readonly metrics: MetricRegistryRepository,
    private readonly changes: RegistryChangesService,
    private readonly events: EventRecorderService,
    private readonly clock: Clock,
  ) {}

  subscribe(listener: DescribedListener): void {
    this.listeners.push(listener);
  }

  /** The description of a new metric: from its header, or from the metadata of its family. */
  describeNew(orgId: number, source: string, header: SeriesHeader): MetricDescription {
    const described = descriptionOf(header, source);
    const member = this.members.get(keyOf(orgId, displayNameOf(header.name)));
    if (member === undefined) return described;
    const isStronger =
      member.type !== null && (described.type === null || rankOf(described.typeSource) < rankOf('metadata'));
    return {
      type: isStronger ? member.type : described.type,
      typeSource: isStronger ? 'metadata' : described.typeSource,
      unit: described.unit ?? member.unit,
      description: described.description ?? member.description,
    };
  }

  /** Queues the description in a header if it differs from that of the known metric. It is written within a second. */
  compare(orgId: number, source: string, header: SeriesHeader, known: KnownMetric): void {
    const { type, unit, description } = header;
    const typeSource = typeSourceOf(header, source);
    const rank = rankOf(typeSource);
    const hasNewType = type !== null && (rank > known.typeRank || (rank === known.typeRank && type !== known.type));
    // An explicit value is only replaced by another explicit one.
    const isKept = known.typeRank === EXPLICIT && rank < EXPLICIT;
    const hasNewUnit = unit !== null && unit !== known.unit && !(isKept && known.unit !== null);
    const hasNewDescription =
      description !== null && description !== known.description && !(isKept && known.description !== null);
    if (!hasNewType && !hasNewUnit && !hasNewDescription) return;
    const now = this.clock.now();
    if (now - known.describedAt < SECONDS_BETWEEN_CHANGES || this.waiting.isFull) return;
    known.describedAt = now;
    this.waiting.add(known.id, { ...descriptionOf(header, source), id: known.id, orgId, name: header.name });
  }

  /**
   * Applies Prometheus metadata of metric families: changes type (unless it is explicit), unit and description of their
   * metrics. Metadata that was applied within the last ten minutes is skipped.
   */
  async applyMetadata(orgId: number, metadata: readonly MetricMetadata[]): Promise<void> {
    const changed = metadata.flatMap(membersOfFamily).filter((member) => !this.isRemembered(orgId, member));
    if (changed.length === 0) return;
    // If several entries concern the same name, the last one counts: an update joins each metric once.
    const byName = new Map(changed.map((member) => [member.displayName, member]));
    const updates = [...byName.values()].map((member): FamilyMember & { typeSource: TypeSource } => ({
      ...member,
      typeSource: 'metadata',
    }));
    for (let start = 0; start < updates.length; start += NAMES_AT_ONCE) {
      const some = updates.slice(start, start + NAMES_AT_ONCE);
      await this.change((tx) => this.metrics.describeFamilies(orgId, some, tx));
    }
    for (const member of changed) this.members.set(keyOf(orgId, member.displayName), member);
  }

  /** Sets the type of metrics whose values show that they are counters, if no sender has given a type. */
  async noteCounters(ids: readonly number[]): Promise<void> {
    if (ids.length > 0) await this.change((tx) => this.metrics.makeCounters(ids, tx));
  }

  /** Resolves when all queued changes are written or have failed. */
  flush(): Promise<void> {
    return this.waiting.tryFlush();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.waiting.close();
  }

  private isRemembered(orgId: number, member: FamilyMember): boolean {
    const before = this.members.get(keyOf(orgId, member.displayName));
    return before?.type === member.type && before.unit === member.unit && before.description === member.description;
  }

  private async writeBatch(batch: readonly WaitingUpdate[]): Promise<void> {
    try {
      const rows = await this.change((tx) => this.metrics.describe(batch, tx));
      this.forgetStale(batch, new Set(rows.map(({ id }) => id)));
    } catch (error) {
      // Not retried: the next body contains the description again.
      this.logger.warn(`${String(batch.length)} metrics could not be updated: ${messageOf(error)}`);
    }
  }

  /** A queued change that changed no row was compared with outdated cached data: it is removed from the cache. */
  private forgetStale(batch: readonly WaitingUpdate[], changed: ReadonlySet<number>): void {
    for (const { id, orgId, name } of batch) {
      if (!changed.has(id)) for (const listener of this.listeners) listener(orgId, [], [name]);
    }
  }

  private async change(update: (tx: Tx) => Promise<DescribedRow[]>): Promise<DescribedRow[]> {
    const { rows, written } = await this.transactions.run(async (tx) => {
      const rows = await update(tx);
      const written: WrittenChange[] = [];
      for (const [orgId, retyped] of byOrg(rows.filter(isRetyped))) {
        for (const metricType of METRIC_TYPES) {
          const metricIds = retyped.filter(({ type }) => type === metricType).map(({ id }) => id);
          const change = { orgId, kind: 'redefined', metricIds, metricType } as const;
          if (metricIds.length > 0) written.push(await this.changes.write(change, tx));
        }
      }
      return { rows, written };
    });
    for (const [orgId, ofOrg] of byOrg(rows)) for (const listener of this.listeners) listener(orgId, ofOrg, []);
    for (const change of written) this.changes.announce(change);
    for (const row of rows.filter(isRetyped)) this.recordType(row);
    return rows;
  }

  private recordType({ id, orgId, name, type, typeBefore, typeSource }: DescribedRow): void {
    this.events.record({
      orgId,
      type: 'metric_type_changed',
      level: 'notice',
      message: `${name} is a ${type} now, it was a ${typeBefore}: ${REASONS[typeSource]}. The metric is relearnt from its stored points.`,
      metricId: id,
      metric: name,
      details: { from: typeBefore, to: type, source: typeSource },
    });
  }
}

const REASONS: Readonly<Record<TypeSource, string>> = {
  default: 'no evidence of its type',
  detected: 'its values never fall except to near zero',
  suffix: 'its name says so',
  metadata: 'its metadata says so',
  explicit: 'its sender says so',
};

const keyOf = (orgId: number, displayName: string): string => `${String(orgId)} ${displayName}`;

const isRetyped = ({ type, typeBefore }: DescribedRow): boolean => type !== typeBefore;

const descriptionOf = (header: SeriesHeader, source: string): MetricDescription => ({
  type: header.type,
  typeSource: header.type === null ? 'default' : typeSourceOf(header, source),
  unit: header.unit,
  description: header.description,
});

/** Types in Prometheus bodies come from metadata or from a suffix. Explicit types are stronger than both. */
const typeSourceOf = (header: SeriesHeader, source: string): TypeSource =>
  header.typeSource ?? (source === 'prometheus' ? 'suffix' : 'explicit');

function byOrg(rows: readonly DescribedRow[]): Map<number, DescribedRow[]> {
  const groups = new Map<number, DescribedRow[]>();
  for (const row of rows) {
    const group = groups.get(row.orgId);
    if (group === undefined) groups.set(row.orgId, [row]);
    else group.push(row);
  }
  return groups;
}
