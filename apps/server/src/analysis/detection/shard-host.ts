import { compressSync, uncompressSync } from 'snappy';
import {
  definitionsPart,
  DetectionShard,
  type ProgressColumns,
  type SavedPage,
  type SeriesDefinition,
  type ShardInput,
  type ShardOutput,
} from '#libs/detection';
import { messageOf } from '../../common/errors/message-of.js';
import { joinInputs } from './shard-inputs.js';

/** Thrown for a partition that the thread does not know, because the thread that knew it has died. */
export class PartitionNotOpenError extends Error {
  constructor(partition: number) {
    super(`Partition ${String(partition)} was not opened`);
    this.name = 'PartitionNotOpenError';
  }
}

/** A page in stored form: compressed. */
export type StoredPage = Pick<SavedPage, 'page' | 'position' | 'series' | 'bytes'>;

/** A page as returned by its shard. */
export interface TakenPage extends StoredPage {
  /** Only the definitions of its series, in the form of `bytes`: sufficient to learn them from their stored points. */
  definitions: Uint8Array;
}

/** Stored slots of a series. */
export interface StoredHistory {
  id: number;
  timestamps: Float64Array;
  values: Float64Array;
}

export type ShardRequest =
  /** A new shard: inputs begin after `position`; inputs up to `appliedPosition` are not combined with others. */
  | { type: 'open'; partition: number; position: number; appliedPosition: number }
  | { type: 'restore'; partition: number; pages: StoredPage[] }
  | { type: 'apply'; partition: number; definitions: SeriesDefinition[]; inputs: ShardInput[] }
  | { type: 'applyEachSeries'; partition: number; definitions: SeriesDefinition[]; input: ShardInput }
  /** Progress of series with more than a new value, and of at most `most` others. */
  | { type: 'drainProgress'; partition: number; most: number; mostNew: number }
  /** Series that wait for their stored points, at most `most`. */
  | { type: 'awaitingHistory'; partition: number; most: number }
  | { type: 'takeHistories'; partition: number; histories: StoredHistory[] }
  | { type: 'savePage'; partition: number }
  | { type: 'close'; partition: number };

/** Fields that do not belong to the type of the request stay empty. */
export interface ShardResponse {
  /** `apply`: one per input, or per group of combined inputs; its position is that of the last of them. */
  outputs: ShardOutput[];
  /** `restore`: pages that cannot be read, why, and how many of their series wait for their stored points. */
  unreadable: { page: number; message: string; awaiting: number }[];
  /** `awaitingHistory`: the series. */
  awaiting: SeriesDefinition[];
  /** `apply`: the first input, or group of combined inputs, that failed; the shard must be reopened. */
  failure: { positions: number[]; message: string; stack: string | undefined } | null;
  /** `applyEachSeries`: series whose points the detector could not process. */
  failedSeries: { id: number; message: string }[];
  /** `drainProgress`, `savePage`: progress that was not reported yet (`savePage`: of the page's series). */
  progress: ProgressColumns | null;
  /** `drainProgress`: number of series whose progress is not reported yet, and number of new ones among them. */
  waiting: number;
  waitingNew: number;
  /** `savePage`: null if all changes are saved. */
  page: TakenPage | null;
  /** `savePage`: once the page is stored, a restart must read the log after this position. */
  replayAfter: number;
  /** `savePage`: pages that have changed and are not saved yet. */
  unsaved: number;
  /** `restore`, `savePage`: series in the shard. */
  series: number;
}

interface OpenShard {
  shard: DetectionShard;
  appliedPosition: number;
}

/** The shards of one thread, by partition. Independent of threads, so that tests and workers run the same code. */
export class ShardHost {
  private readonly shards = new Map<number, OpenShard>();

  handle(request: ShardRequest): ShardResponse {
    switch (request.type) {
      case 'open':
        return this.open(request.partition, request.position, request.appliedPosition);
      case 'restore':
        return this.restore(request.partition, request.pages);
      case 'apply':
        return this.apply(request.partition, request.definitions, request.inputs);
      case 'applyEachSeries':
        return this.applyEachSeries(request.partition, request.definitions, request.input);
      case 'drainProgress':
        return this.drainProgress(request);
      case 'awaitingHistory':
        return { ...NOTHING, awaiting: this.getShard(request.partition).shard.awaitingHistory(request.most) };
      case 'takeHistories':
        return this.takeHistories(request.partition, request.histories);
      case 'savePage':
        return this.savePage(request.partition);
      case 'close':
        this.shards.delete(request.partition);
        return NOTHING;
    }
  }

  private drainProgress({
    partition,
    most,
    mostNew,
  }: {
    partition: number;
    most: number;
    mostNew: number;
  }): ShardResponse {
    const { shard } = this.getShard(partition);
    const progress = shard.drainProgress(most, mostNew);
    const { all, fresh } = shard.waitingProgress;
    return { ...NOTHING, progress, waiting: all, waitingNew: fresh };
  }

  private open(partition: number, position: number, appliedPosition: number): ShardResponse {
    const shard = new DetectionShard();
    shard.resumeAfter(position);
    this.shards.set(partition, { shard, appliedPosition });
    return NOTHING;
  }

  private restore(partition: number, pages: readonly StoredPage[]): ShardResponse {
    const { shard } = this.getShard(partition);
    const unreadable: ShardResponse['unreadable'] = [];
    for (const { page, position, bytes } of pages) {
      try {
        shard.restorePage(page, position, uncompressed(bytes));
      } catch (error) {
        unreadable.push({ page, message: messageOf(error), awaiting: relearn(shard, page, position, bytes) });
      }
    }
    return { ...NOTHING, unreadable, series: shard.size };
  }

  private apply(partition: number, definitions: SeriesDefinition[], inputs: ShardInput[]): ShardResponse {
    const { shard, appliedPosition } = this.getShard(partition);
    for (const definition of definitions) shard.define(definition);
    const outputs: ShardOutput[] = [];
    for (const { input, positions } of joinInputs(inputs, appliedPosition)) {
      try {
        outputs.push(shard.apply(input));
      } catch (error) {
        const stack = error instanceof Error ? error.stack : undefined;
        return { ...NOTHING, outputs, failure: { positions, message: messageOf(error), stack } };
      }
    }
    return { ...NOTHING, outputs };
  }

  /** Applies an input that failed as a whole series by series, so that a failing series does not affect others. */
  private applyEachSeries(partition: number, definitions: SeriesDefinition[], input: ShardInput): ShardResponse {
    const { shard } = this.getShard(partition);
    for (const definition of definitions) shard.define(definition);
    const rowsOf = new Map<number, number[]>();
    input.ids.forEach((id, row) => {
      const rows = rowsOf.get(id);
      if (rows) rows.push(row);
      else rowsOf.set(id, [row]);
    });
    const response: ShardResponse = { ...NOTHING, outputs: [], failedSeries: [] };
    for (const [id, rows] of rowsOf) {
      try {
        response.outputs.push(
          shard.apply({
            ...input,
            ids: Uint32Array.from(rows, (row) => input.ids[row]!),
            timestamps: Float64Array.from(rows, (row) => input.timestamps[row]!),
            values: Float64Array.from(rows, (row) => input.values[row]!),
          }),
        );
      } catch (error) {
        response.failedSeries.push({ id, message: messageOf(error) });
      }
    }
    return response;
  }

  private takeHistories(partition: number, histories: readonly StoredHistory[]): ShardResponse {
    const { shard } = this.getShard(partition);
    for (const { id, timestamps, values } of histories) shard.takeHistory(id, timestamps, values);
    return NOTHING;
  }

  private savePage(partition: number): ShardResponse {
    const { shard } = this.getShard(partition);
    const saved = shard.savePage();
    const { replayAfter, changedPages: unsaved, size } = shard;
    const after: ShardResponse = { ...NOTHING, replayAfter, unsaved, series: size };
    if (!saved) return after;
    const { page, position, series, bytes, progress } = saved;
    const definitions = compressed(definitionsPart(bytes));
    return { ...after, page: { page, position, series, bytes: compressed(bytes), definitions }, progress };
  }

  private getShard(partition: number): OpenShard {
    const open = this.shards.get(partition);
    if (!open) throw new PartitionNotOpenError(partition);
    return open;
  }
}

/** Number of series of an unreadable page that wait for their history; 0 if not even the definitions are readable. */
function relearn(shard: DetectionShard, page: number, position: number, bytes: Uint8Array): number {
  try {
    return shard.relearnPage(page, position, uncompressed(bytes));
  } catch {
    return 0;
  }
}

/** A copy, because memory of the compressor cannot move to another thread. */
function compressed(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(compressSync(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
}

function uncompressed(bytes: Uint8Array): Uint8Array {
  const plain = uncompressSync(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return typeof plain === 'string' ? Buffer.from(plain) : plain;
}

const NOTHING: ShardResponse = {
  outputs: [],
  unreadable: [],
  awaiting: [],
  failure: null,
  failedSeries: [],
  progress: null,
  waiting: 0,
  waitingNew: 0,
  page: null,
  replayAfter: 0,
  unsaved: 0,
  series: 0,
};

/** Buffers of a response that may move between threads: no other code uses its columns. */
export function movableBuffers({ outputs, progress, page }: ShardResponse): ArrayBuffer[] {
  const columns: Column[] = outputs.flatMap(({ slots }) => [slots.ids, slots.timestamps, slots.values]);
  if (progress) columns.push(...(Object.values(progress) as Column[]));
  if (page) columns.push(page.bytes, page.definitions);
  // A view on a part of a larger buffer is copied instead: the rest may be in use.
  return buffersOf(columns.filter(({ buffer, byteLength }) => byteLength === buffer.byteLength));
}

/** Buffers of a request that may move: those of records read from the log, and of pages read from the database. */
export function movableRequestBuffers(request: ShardRequest): ArrayBuffer[] {
  if (request.type === 'restore') return buffersOf(request.pages.map(({ bytes }) => bytes));
  if (request.type === 'takeHistories') {
    return buffersOf(request.histories.flatMap(({ timestamps, values }) => [timestamps, values]));
  }
  if (request.type !== 'apply') return [];
  return buffersOf(request.inputs.flatMap(({ ids, timestamps, values }) => [ids, timestamps, values]));
}

type Column = Uint8Array | Uint32Array | Float64Array;

function buffersOf(columns: readonly Column[]): ArrayBuffer[] {
  return [...new Set(columns.map(({ buffer }) => buffer as ArrayBuffer))];
}
