import { Injectable } from '@nestjs/common';
import {
  SERIES_TERMS,
  type SeriesDefinition,
  type SeriesTerms,
  type ShardInput,
  type ShardOutput,
} from '#libs/detection';
import { type LogRecord } from '#libs/point-log';
import { MetricRegistryService, type RegisteredSeries } from '../../data/metric/metric-registry.service.js';

export interface Prepared {
  /** One per record. Points of removed metrics are omitted. */
  inputs: ShardInput[];
  /** Series that the shard has not received since it was opened. */
  definitions: SeriesDefinition[];
}

/** The cached properties of a series. Many series share one object. */
type KnownSeries = Readonly<Pick<RegisteredSeries, 'orgId' | 'slotSeconds'>>;

/**
 * Data of the metrics in the partitions of this process, read from the registry with one query for all new series of a
 * batch.
 */
@Injectable()
export class SeriesDirectoryService {
  private readonly known = new Map<number, Map<number, KnownSeries>>();
  private readonly shared = new Map<string, KnownSeries>();

  constructor(private readonly registry: MetricRegistryService) {}

  /** A shard was opened: its series must be defined again. */
  clear(partition: number): void {
    this.known.set(partition, new Map());
  }

  get(partition: number, id: number): KnownSeries | undefined {
    return this.known.get(partition)?.get(id);
  }

  async prepare(partition: number, records: readonly LogRecord[]): Promise<Prepared> {
    const known = this.known.get(partition) ?? new Map<number, KnownSeries>();
    this.known.set(partition, known);
    const unknown = new Set<number>();
    for (const { kind, batch } of records) {
      if (kind === 'define') continue;
      let latest = -1;
      for (const id of batch.ids) {
        if (id === latest) continue;
        latest = id;
        if (!known.has(id)) unknown.add(id);
      }
    }
    const definitions = unknown.size > 0 ? await this.registry.definitions([...unknown]) : [];
    for (const definition of definitions) known.set(definition.id, this.toKnown(definition));
    const someErased = definitions.length < unknown.size;
    const terms = await this.termsIn(records);
    const inputs = records.map((record) => toInput(record, someErased ? known : undefined, terms));
    // A redefined series is looked up again with its next points.
    for (const { kind, batch } of records) if (kind === 'define') for (const id of batch.ids) known.delete(id);
    return { definitions: definitions.map(({ orgId: _, ...definition }) => definition), inputs };
  }

  /** One object for all series with equal values: there may be a million of them. */
  private toKnown({ orgId, slotSeconds }: KnownSeries): KnownSeries {
    const key = `${String(orgId)} ${String(slotSeconds)}`;
    let known = this.shared.get(key);
    if (known === undefined) this.shared.set(key, (known = { orgId, slotSeconds }));
    return known;
  }

  /** The terms that changes of definitions refer to; undefined if none does. */
  private async termsIn(records: readonly LogRecord[]): Promise<Map<number, SeriesTerms> | undefined> {
    const ids = new Set<number>();
    for (const { kind, batch } of records) {
      if (kind !== 'define') continue;
      batch.values.forEach((value, row) => {
        if (value === SERIES_TERMS && batch.timestamps[row]! > 0) ids.add(batch.timestamps[row]!);
      });
    }
    return ids.size === 0 ? undefined : this.registry.findTerms([...ids]);
  }

  /** Output for points that the detector cannot process: stored per slot like other points, without verdicts. */
  withoutDetection(partition: number, input: ShardInput, isMeant: (id: number) => boolean = () => true): ShardOutput {
    const rows: number[] = [];
    // Rows with a change of definitions are not points.
    if (input.kind !== 'define') {
      input.ids.forEach((id, row) => {
        if (isMeant(id)) rows.push(row);
      });
    }
    const slotOf = (row: number) => this.get(partition, input.ids[row]!)?.slotSeconds ?? 1;
    return {
      slots: {
        ids: Uint32Array.from(rows, (row) => input.ids[row]!),
        timestamps: Float64Array.from(rows, (row) => {
          const slot = slotOf(row);
          return Math.floor(input.timestamps[row]! / slot) * slot;
        }),
        values: Float64Array.from(rows, (row) => input.values[row]!),
      },
      ...(input.position === undefined ? {} : { position: input.position }),
      events: [],
      counters: [],
      hasUrgentProgress: false,
      scored: 0,
    };
  }
}

function toInput(
  record: LogRecord,
  known: ReadonlyMap<number, unknown> | undefined,
  terms: ReadonlyMap<number, SeriesTerms> | undefined,
): ShardInput {
  const { kind, position, appendedAt: now } = record;
  const { ids, timestamps, values } = record.batch;
  if (kind === 'define') return { kind, position, now, ids, timestamps, values, ...(terms && { terms }) };
  if (!known || ids.every((id) => known.has(id))) {
    return { kind, position, now, ids, timestamps, values };
  }
  const rows = [...ids.keys()].filter((row) => known.has(ids[row]!));
  return {
    kind,
    position,
    now,
    ids: Uint32Array.from(rows, (row) => ids[row]!),
    timestamps: Float64Array.from(rows, (row) => timestamps[row]!),
    values: Float64Array.from(rows, (row) => values[row]!),
  };
}
