import {
  jetstream,
  type JetStreamClient,
  JetStreamApiError,
  jetstreamManager,
  type JetStreamManager,
  type PubAck,
  type StoredMsg,
} from '@nats-io/jetstream';
import { headers, type MsgHdrs, type NatsConnection, nuid } from '@nats-io/transport-node';
import {
  rejectAfter,
  connectTo,
  isSwitchedOff,
  type JetStreamAddress,
  JetStreamUnusableError,
  placeOf,
  reasonOf,
  switchedOff,
} from '#libs/jetstream';
import { AppendQueue, type AppendQueueOptions } from '../common/append-queue.js';
import { type NewRecord, type QueuedAppend, toRecords } from '../common/group.js';
import { POINT_BYTES, PAYLOAD_HEADER_BYTES, openPayload, readPayload, storedBytes } from '../common/payload.js';
import { TailCache } from '../common/tail-cache.js';
import { Waiters } from '../common/waiters.js';
import {
  type LogRecord,
  type PointBatch,
  type PointLog,
  PointLogUnavailableError,
  PointLogPartitionsError,
  type PointLogStats,
  RECORD_KINDS,
  type RecordKind,
  type WaitingPoints,
} from '../point-log.js';
import { PointLogLostError } from './point-log-lost.error.js';
import { LogStreams } from './log-streams.js';
import { RecordGuard } from './record-guard.js';

export interface JetStreamPointLogOptions extends AppendQueueOptions {
  address: JetStreamAddress;
  /** Unix seconds, fractions allowed: the time of the records, to the millisecond. */
  now: () => number;
  /** Fixed when the log is created; opening it later with another number fails. */
  partitions?: number;
  /** The id that the log must have; a new log gets it. */
  logId?: string;
  /** True (the default): create a log that does not exist. False: throw PointLogLostError instead. */
  mayCreate?: boolean;
  /** By partition: new records get positions above these. */
  after?: readonly number[];
  /** Memory for records that were just appended and are read in the same process, in bytes. */
  tailBytes?: number;
  /** Called with messages for operators. */
  warn?: (message: string) => void;
}

const DEFAULT_PARTITIONS = 8;
const DEFAULT_TAIL_BYTES = 64 * 1024 * 1024;
/** A third of a megabyte: servers advise against much larger messages. */
const MAX_MESSAGE_POINTS = 16_384;
/** Maximum size of a message without payload and subject. */
const MESSAGE_MARGIN_BYTES = 1024;

const ANSWER_MS = 2000;
const MANAGE_MS = 10_000;
const PING_MS = 1500;
/** Retry time of an append if the one before it was successful. */
const TIMEOUT_MS = 6000;
const RETRY_MS = 100;

const MAX_READ_RECORDS = 256;
/** Number of messages requested at a time. */
const FIRST_READS = 4;
const MAX_READS = 16;

/** Interval at which the leader of each stream is queried. */
const GUARD_EVERY_MS = 4000;

const KIND = 'Plumbline-Kind';
const APPENDED_AT = 'Plumbline-Appended';
const MESSAGE_ID = 'Nats-Msg-Id';
const DECIMALS = 3;

/** Maximum number of lost positions that are filled while the process runs. */
const MAX_FILLERS = 100_000;
const FILLERS_AT_ONCE = 256;

/**
 * PointLog in NATS JetStream: a partition is a stream, a record a message in it, the position its sequence. Points are
 * binary columns (payload.ts), kind and time are headers.
 *
 * The records of a partition are published sequentially, each after the one before it is acknowledged, so their order
 * survives any failure. A record that is not acknowledged in time is published again with the same message id, which
 * the server stores once; a record that the servers have acknowledged and then lost is appended again
 * (record-guard.ts). A group is not atomic: if one of its records fails, all its appends are rejected, and repeating
 * them is harmless.
 */
export class JetStreamPointLog implements PointLog {
  private readonly queue: AppendQueue;
  private readonly waiters = new Waiters();
  private readonly tails: readonly TailCache[];
  /** By partition: the highest position seen so far. */
  private readonly highestPositions: number[];
  private readonly idBase = nuid.next();
  private ids = 0;
  /** Null: a single server, without another that could become the leader. */
  private readonly guard: RecordGuard | null;
  private readonly guarding: NodeJS.Timeout | undefined;
  private lastAppendedAt = 0;
  private isUnavailable = false;
  private isClosed = false;

  private constructor(
    readonly partitions: number,
    private readonly connection: NatsConnection,
    private readonly manager: JetStreamManager,
    private readonly client: JetStreamClient,
    private readonly streams: LogStreams,
    private readonly options: JetStreamPointLogOptions,
  ) {
    const tailBytes = (options.tailBytes ?? DEFAULT_TAIL_BYTES) / partitions;
    this.tails = Array.from({ length: partitions }, () => new TailCache(tailBytes));
    this.highestPositions = Array.from({ length: partitions }, (_, partition) => options.after?.[partition] ?? 0);
    this.queue = new AppendQueue(options, (group) => this.store(group));
    this.guard = options.address.replicas > 1 ? this.newGuard() : null;
    this.guarding = this.guard ? setInterval(() => void this.guard!.check(), GUARD_EVERY_MS).unref() : undefined;
  }

  /**
   * Connects, and finds or creates the streams.
   * @throws PointLogUnavailableError while the server is unreachable; JetStreamUnusableError, PointLogLostError and
   * PointLogPartitionsError for problems that only an operator can solve
   */
  static async open(options: JetStreamPointLogOptions): Promise<JetStreamPointLog> {
    const { address, partitions = DEFAULT_PARTITIONS, logId, mayCreate = true, after = [] } = options;
    if (!Number.isInteger(partitions) || partitions < 1) {
      throw new RangeError(`A point log needs at least one partition, got ${String(partitions)}`);
    }
    const connection = await connectTo(address, 'plumbline point log', 'POINT_LOG_URL').catch((error: unknown) => {
      throw openingError(error, address);
    });
    try {
      const client = jetstream(connection, { timeout: ANSWER_MS });
      // Creating streams takes longer than using them.
      const maker = await jetstreamManager(connection, { timeout: MANAGE_MS });
      const streams = new LogStreams(maker, client, address);
      await streams.open({ partitions, logId, mayCreate, after });
      const manager = await jetstreamManager(connection, { timeout: ANSWER_MS, checkAPI: false });
      const log = new JetStreamPointLog(partitions, connection, manager, client, streams, options);
      log.listen();
      return log;
    } catch (error) {
      await connection.close();
      throw openingError(error, address);
    }
  }

  append(batch: PointBatch, kind: RecordKind): Promise<void> {
    return this.queue.add(batch, kind);
  }

  async read(partition: number, after: number, maxPoints: number): Promise<LogRecord[]> {
    this.notePosition(partition, after);
    const recent = this.tails[partition]!.take(partition, after, maxPoints);
    if (recent.length > 0) return recent;
    const name = this.streams.nameOf(partition);
    const first = await this.nextMessage(partition, after);
    if (first === null) return [];
    const records = [recordOf(first, partition)];
    let points = records[0]!.batch.ids.length;
    for (let reads = FIRST_READS; records.length < MAX_READ_RECORDS && points < maxPoints; reads = MAX_READS) {
      const next = records.at(-1)!.position + 1;
      const found = await Promise.all(
        Array.from({ length: reads }, (_, i) => this.manager.streams.getMessage(name, { seq: next + i })),
      );
      for (const message of found) {
        // Records that follow one that did not exist yet are read next time.
        if (message === null) return records;
        const record = recordOf(message, partition);
        points += record.batch.ids.length;
        if (points > maxPoints) return records;
        records.push(record);
      }
    }
    return records;
  }

  waitForAppend(timeoutMs: number): Promise<boolean> {
    return this.waiters.wait(timeoutMs);
  }

  async trim(partition: number, upTo: number): Promise<void> {
    await this.manager.streams.purge(this.streams.nameOf(partition), { seq: upTo + 1 });
  }

  /** Estimated from the size of the streams. */
  async waiting(after: readonly number[]): Promise<WaitingPoints> {
    const parts = await Promise.all(after.map((position, partition) => this.waitingIn(partition, position)));
    const oldest = parts.flatMap(({ oldestAppendedAt }) => oldestAppendedAt ?? []);
    return {
      points: parts.reduce((sum, { points }) => sum + points, 0),
      oldestAppendedAt: oldest.length === 0 ? null : Math.min(...oldest),
    };
  }

  stats(): PointLogStats {
    return this.queue.stats();
  }

  /** Rejects with a message for operators while the log is unreachable. */
  async ping(): Promise<void> {
    try {
      const info = this.manager.streams.info(this.streams.nameOf(0));
      // Handled below, or too late.
      info.catch(() => undefined);
      await Promise.race([info, rejectAfter(PING_MS)]);
    } catch (error) {
      throw new PointLogUnavailableError(`${this.place} does not answer: ${reasonOf(error)}`, { cause: error });
    }
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    clearInterval(this.guarding);
    await this.queue.close();
    this.waiters.close();
    // Sends the last announcements before the connection closes, if there is one.
    await Promise.race([this.connection.flush(), rejectAfter(ANSWER_MS)]).catch(() => undefined);
    await this.connection.close();
  }

  /** Queries the leader of the stream, which has every acknowledged record. Skips records that no longer exist. */
  private nextMessage(partition: number, after: number): Promise<StoredMsg | null> {
    const query = { seq: after + 1, next_by_subj: this.streams.subjectOf(partition) };
    return this.manager.streams.getMessage(this.streams.nameOf(partition), query);
  }

  private newGuard(): RecordGuard {
    const { streams } = this.manager;
    return new RecordGuard(this.partitions, {
      inspect: async (partition) => {
        const { cluster, state } = await streams.info(this.streams.nameOf(partition));
        return { leader: cluster?.leader ?? null, firstPosition: state.first_seq };
      },
      messageIdAt: async (partition, position) => {
        const message = await streams.getMessage(this.streams.nameOf(partition), { seq: position });
        return message?.header.get(MESSAGE_ID) ?? null;
      },
      append: (batch, kind) => this.append(batch, kind),
      warn: (message) => this.options.warn?.(`${this.place}: ${message}`),
    });
  }

  private get place(): string {
    return placeOf(this.options.address);
  }

  /**
   * Announcements of other processes wake waiting readers. So does a new connection, because announcements may have
   * been missed.
   */
  private listen(): void {
    this.connection.subscribe(this.streams.announcements, {
      callback: (error, message) => {
        if (error) return;
        for (const [partition, position] of readAnnouncement(message.data)) this.notePosition(partition, position);
        this.waiters.notify();
      },
    });
    const follow = async (): Promise<void> => {
      for await (const { type } of this.connection.status()) if (type === 'reconnect') this.waiters.notify();
    };
    // Ends with the connection.
    follow().catch(() => undefined);
  }

  private notePosition(partition: number, position: number): void {
    if (position > (this.highestPositions[partition] ?? Infinity)) this.highestPositions[partition] = position;
  }

  private async store(group: readonly QueuedAppend[]): Promise<void> {
    const byPartition = new Map<number, NewRecord[]>();
    for (const record of toRecords(group, this.partitions, this.maxMessagePoints)) {
      const own = byPartition.get(record.partition);
      if (own) own.push(record);
      else byPartition.set(record.partition, [record]);
    }
    const deadline = performance.now() + (this.isUnavailable ? 0 : TIMEOUT_MS);
    const appended = new Map<number, number>();
    const results = await Promise.allSettled(
      [...byPartition].map(async ([partition, records]) => {
        for (const record of records) appended.set(partition, await this.publish(record, deadline));
      }),
    );
    if (appended.size > 0) {
      this.connection.publish(this.streams.announcements, JSON.stringify([...appended]));
      this.waiters.notify();
    }
    const failed = results.find((result) => result.status === 'rejected');
    this.isUnavailable = failed !== undefined;
    if (failed) throw failed.reason;
  }

  /** Returns the position. */
  private async publish(record: NewRecord, deadline: number): Promise<number> {
    const { partition, kind, payload } = record;
    for (;;) {
      const highest = this.highestPositions[partition]!;
      const { ack, messageId, appendedAt } = await this.deliver(record, deadline);
      const lost = highest - ack.seq;
      if (lost < 0 || ack.duplicate) {
        const position = ack.seq;
        this.notePosition(partition, position);
        this.guard?.keep({ partition, position, messageId, kind, batch: payload.columns });
        // The time of a record that was published again may be that of either attempt.
        if (appendedAt !== null) {
          this.tails[partition]!.add([{ partition, position, kind, appendedAt, batch: payload.columns }]);
        }
        return position;
      }
      await this.fillPositions(partition, lost);
    }
  }

  /** `appendedAt` is null if it was published more than once. */
  private async deliver(
    { partition, kind, payload }: NewRecord,
    deadline: number,
  ): Promise<{ ack: PubAck; messageId: string; appendedAt: number | null }> {
    const subject = this.streams.subjectOf(partition);
    const bytes = storedBytes(payload);
    const messageId = `${this.idBase}.${String(this.ids++).padStart(ID_DIGITS, '0')}`;
    for (let attempt = 0; ; attempt++) {
      const appendedAt = this.stamp();
      try {
        const ack = await this.client.publish(subject, bytes, {
          msgID: messageId,
          headers: headersOf(kind, appendedAt),
        });
        return { ack, messageId, appendedAt: attempt === 0 ? appendedAt : null };
      } catch (error) {
        this.guard?.suspect(partition);
        const isOver = this.connection.isClosed() || performance.now() >= deadline;
        if (isOver || isRefusal(error)) {
          throw new PointLogUnavailableError(`${this.place} accepts no points: ${reasonOf(error)}`, { cause: error });
        }
      }
      await new Promise((next) => setTimeout(next, RETRY_MS));
    }
  }

  /** Never earlier than the last one: the clock of detection does not run backwards. */
  private stamp(): number {
    this.lastAppendedAt = Math.max(this.lastAppendedAt, Number(this.options.now().toFixed(DECIMALS)));
    return this.lastAppendedAt;
  }

  /**
   * A server that does not sync every write loses its newest records in a power failure. It would assign their
   * positions again, and readers that are past them would never see the new records: empty records fill these
   * positions.
   */
  private async fillPositions(partition: number, lost: number): Promise<void> {
    if (lost > MAX_FILLERS) {
      throw new PointLogUnavailableError(
        `${this.place} has lost its newest ${String(lost)} records of partition ${String(partition)}: restart all processes`,
      );
    }
    const subject = this.streams.subjectOf(partition);
    const filler = storedBytes(openPayload(0));
    const hdrs = headersOf('tick', this.stamp());
    for (let left = lost; left > 0; left -= FILLERS_AT_ONCE) {
      const count = Math.min(left, FILLERS_AT_ONCE);
      await Promise.all(
        Array.from({ length: count }, () => this.client.publish(subject, filler, { headers: hdrs })),
      ).catch((error: unknown) => {
        throw new PointLogUnavailableError(`${this.place} accepts no points: ${reasonOf(error)}`, { cause: error });
      });
    }
  }

  private get maxMessagePoints(): number {
    const room = (this.connection.info?.max_payload ?? Infinity) - MESSAGE_MARGIN_BYTES;
    return Math.max(1, Math.min(MAX_MESSAGE_POINTS, Math.floor(room / POINT_BYTES)));
  }

  private async waitingIn(partition: number, after: number): Promise<WaitingPoints> {
    const name = this.streams.nameOf(partition);
    const { state } = await this.manager.streams.info(name);
    const { first_seq: first, last_seq: last, messages, bytes } = state;
    const waiting = last - Math.max(after, first - 1);
    if (messages === 0 || waiting <= 0) return { points: 0, oldestAppendedAt: null };
    const subject = this.streams.subjectOf(partition);
    const pointBytes = bytes - messages * (STORED_BYTES + subject.length);
    const points = Math.round((pointBytes / POINT_BYTES) * (waiting / messages));
    if (points <= 0) return { points: 0, oldestAppendedAt: null };
    const oldest = await this.nextMessage(partition, after);
    return { points, oldestAppendedAt: oldest && appendedAtOf(oldest) };
  }
}

const ID_DIGITS = 9;
/**
 * Bytes of a stored message without subject and points: the additions of the server (length, sequence, time, lengths of
 * subject and headers, checksum), the headers, and the header of the payload.
 */
const STORED_BYTES =
  22 +
  4 +
  8 +
  'NATS/1.0\r\n\r\n'.length +
  `${KIND}: 0\r\n${APPENDED_AT}: 1800000000.000\r\n${MESSAGE_ID}: \r\n`.length +
  22 +
  1 +
  ID_DIGITS +
  PAYLOAD_HEADER_BYTES;

function headersOf(kind: RecordKind, appendedAt: number): MsgHdrs {
  const hdrs = headers();
  hdrs.set(KIND, String(RECORD_KINDS.indexOf(kind)));
  hdrs.set(APPENDED_AT, appendedAt.toFixed(DECIMALS));
  return hdrs;
}

function recordOf(message: StoredMsg, partition: number): LogRecord {
  const kind = RECORD_KINDS[Number(message.header.get(KIND))];
  if (kind === undefined || message.header.get(KIND) === '') {
    throw new Error(`Message ${String(message.seq)} of partition ${String(partition)} is no record of the point log`);
  }
  const appendedAt = appendedAtOf(message);
  return { partition, position: message.seq, kind, appendedAt, batch: readPayload(message.data) };
}

const appendedAtOf = (message: StoredMsg): number => Number(message.header.get(APPENDED_AT));

/** Announcements of other processes: pairs of partition and position. Other messages on the subject are ignored. */
function readAnnouncement(data: Uint8Array): [number, number][] {
  try {
    const pairs: unknown = JSON.parse(Buffer.from(data).toString('utf8'));
    if (!Array.isArray(pairs)) return [];
    return pairs.filter((pair): pair is [number, number] => Array.isArray(pair) && pair.every(Number.isSafeInteger));
  } catch {
    return [];
  }
}

/** The server has received the record and rejects it. */
const isRefusal = (error: unknown): boolean => error instanceof JetStreamApiError;

function openingError(error: unknown, address: JetStreamAddress): unknown {
  if (FINAL_ERRORS.some((kind) => error instanceof kind)) return error;
  const place = placeOf(address);
  if (isSwitchedOff(error)) return switchedOff(place);
  return new PointLogUnavailableError(`${place} does not answer: ${reasonOf(error)}`, { cause: error });
}

/** Their messages contain the solution. */
const FINAL_ERRORS = [JetStreamUnusableError, PointLogLostError, PointLogPartitionsError, RangeError];
