import { DetectionShard, type SeriesDefinition, type ShardInput, type ShardOutput } from '#libs/detection';
import { messageOf } from '../common/errors/message-of.js';

export type ShardRequest =
  | { type: 'open'; partition: number; state: Uint8Array | null }
  | { type: 'apply'; partition: number; definitions: SeriesDefinition[]; inputs: ShardInput[] }
  | { type: 'applyEachSeries'; partition: number; definitions: SeriesDefinition[]; input: ShardInput }
  | { type: 'snapshot'; partition: number }
  | { type: 'close'; partition: number };

/** Fields that do not belong to the request's type stay empty. */
export interface ShardResponse {
  outputs: ShardOutput[];
  /** `open`: why the state could not be restored; the shard starts empty then. */
  restoreError: string | null;
  /** `apply`: the first input that failed; the shard's state is undefined from here on and must be opened anew. */
  failure: { index: number; message: string; stack: string | undefined } | null;
  /** `applyEachSeries`: series whose points the detector could not take. */
  failedSeries: { id: number; message: string }[];
  /** `snapshot`. */
  state: Uint8Array | null;
}

/** The shards of one thread, by partition. Knows nothing of threads, so that tests and workers run the same code. */
export class ShardHost {
  private readonly shards = new Map<number, DetectionShard>();

  handle(request: ShardRequest): ShardResponse {
    switch (request.type) {
      case 'open':
        return this.open(request.partition, request.state);
      case 'apply':
        return this.apply(request.partition, request.definitions, request.inputs);
      case 'applyEachSeries':
        return this.applyEachSeries(request.partition, request.definitions, request.input);
      case 'snapshot':
        return { ...NOTHING, state: this.shard(request.partition).snapshot() };
      case 'close':
        this.shards.delete(request.partition);
        return NOTHING;
    }
  }

  private open(partition: number, state: Uint8Array | null): ShardResponse {
    try {
      this.shards.set(partition, state ? DetectionShard.restore(state) : new DetectionShard());
      return NOTHING;
    } catch (error) {
      this.shards.set(partition, new DetectionShard());
      return { ...NOTHING, restoreError: messageOf(error) };
    }
  }

  private apply(partition: number, definitions: SeriesDefinition[], inputs: ShardInput[]): ShardResponse {
    const shard = this.shard(partition);
    for (const definition of definitions) shard.define(definition);
    const outputs: ShardOutput[] = [];
    for (const [index, input] of inputs.entries()) {
      try {
        outputs.push(shard.apply(input));
      } catch (error) {
        const stack = error instanceof Error ? error.stack : undefined;
        return { ...NOTHING, outputs, failure: { index, message: messageOf(error), stack } };
      }
    }
    return { ...NOTHING, outputs };
  }

  /** An input that failed as a whole, one series at a time, so that one series that cannot be taken costs no other. */
  private applyEachSeries(partition: number, definitions: SeriesDefinition[], input: ShardInput): ShardResponse {
    const shard = this.shard(partition);
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
            kind: input.kind,
            now: input.now,
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

  private shard(partition: number): DetectionShard {
    const shard = this.shards.get(partition);
    if (!shard) throw new Error(`Partition ${String(partition)} was not opened`);
    return shard;
  }
}

const NOTHING: ShardResponse = { outputs: [], restoreError: null, failure: null, failedSeries: [], state: null };

/** Buffers of a response that may move between threads: its columns belong to nobody else. */
export function movableBuffers({ outputs, state }: ShardResponse): ArrayBuffer[] {
  const columns = outputs.flatMap(({ slots }) => [slots.ids, slots.timestamps, slots.values]);
  return wholeBuffers(state ? [...columns, state] : columns);
}

/** A view on a part of a larger buffer is copied instead: the rest may be in use. */
function wholeBuffers(columns: readonly (Uint8Array | Uint32Array | Float64Array)[]): ArrayBuffer[] {
  const whole = columns.filter(({ buffer, byteLength }) => byteLength === buffer.byteLength);
  return [...new Set(whole.map(({ buffer }) => buffer as ArrayBuffer))];
}

/** Buffers of records read from the log: one for the columns of each record, used by nobody else. */
export function movableInputBuffers(inputs: readonly ShardInput[]): ArrayBuffer[] {
  const buffers = inputs.flatMap(({ ids, timestamps, values }) => [ids.buffer, timestamps.buffer, values.buffer]);
  return [...new Set(buffers)] as ArrayBuffer[];
}
