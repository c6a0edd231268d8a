import { randomUUID } from 'node:crypto';
import {
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { type JetStreamAddress, JetStreamUnusableError, placeOf } from '#libs/jetstream';
import { PointLogPartitionsError } from '../point-log.js';
import { PointLogLostError } from './point-log-lost.error.js';

/** The description of a log: the single message of its layout stream. */
interface Layout {
  version: 1;
  /** Of the installation that created it. */
  logId: string;
  partitions: number;
}

export interface LogStreamsOptions {
  partitions: number;
  /** The id that the log must have; a new log gets it. */
  logId?: string | undefined;
  /** True: create a log that does not exist. False: throw PointLogLostError. */
  mayCreate: boolean;
  /** By partition: positions above these have never been assigned, whatever happened to the streams. */
  after: readonly number[];
}

/** A message that is published again within this time is not stored twice. */
const DUPLICATE_WINDOW_MS = 120_000;

/**
 * The streams of a log: one per partition, whose sequence is the position, and one that describes the log. Separate
 * streams make trimming cheap: it drops whole blocks from the beginning.
 */
export class LogStreams {
  constructor(
    private readonly manager: JetStreamManager,
    private readonly client: JetStreamClient,
    private readonly address: JetStreamAddress,
  ) {}

  nameOf(partition: number): string {
    return `${this.address.stream}-${String(partition)}`;
  }

  subjectOf(partition: number): string {
    return `${this.address.stream}.${String(partition)}`;
  }

  /** Subject on which appends are announced to other processes; no stream stores it. */
  get announcements(): string {
    return `${this.address.stream}.appended`;
  }

  /**
   * Finds or creates the streams.
   * @throws JetStreamUnusableError, PointLogLostError, PointLogPartitionsError
   */
  async open(options: LogStreamsOptions): Promise<void> {
    let layout = await this.readLayout();
    if (layout === undefined && !options.mayCreate) {
      throw new PointLogLostError(`${this.place} holds no point log`);
    }
    if (layout) this.check(layout, options);
    await Promise.all(
      Array.from({ length: options.partitions }, (_, partition) =>
        this.openPartition(partition, options, layout !== undefined),
      ),
    );
    // Last: a log with a layout is complete.
    layout ??= await this.writeLayout(options);
    this.check(layout, options);
  }

  private get place(): string {
    return placeOf(this.address);
  }

  private get layoutName(): string {
    return `${this.address.stream}-layout`;
  }

  private get layoutSubject(): string {
    return `${this.address.stream}.layout`;
  }

  private check(layout: Layout, { logId, partitions }: LogStreamsOptions): void {
    if (logId !== undefined && layout.logId !== logId) {
      throw new JetStreamUnusableError(
        `${this.place}: these streams belong to another installation. Choose another name by "stream=" in POINT_LOG_URL, ` +
          `or delete the streams ${this.address.stream}-* if that installation is gone`,
      );
    }
    if (layout.partitions !== partitions) {
      throw new PointLogPartitionsError(layout.partitions, partitions, `in ${this.place}`);
    }
  }

  private async readLayout(): Promise<Layout | undefined> {
    try {
      const message = await this.manager.streams.getMessage(this.layoutName, { last_by_subj: this.layoutSubject });
      if (message === null) return undefined;
      const layout = message.json<Layout>();
      if ((layout.version as number) === 1) return layout;
      throw new JetStreamUnusableError(
        `${this.place} has layout ${String(layout.version)}; this version reads 1: update Plumbline`,
      );
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  private async writeLayout({ logId, partitions }: LogStreamsOptions): Promise<Layout> {
    await this.ensure({ name: this.layoutName, subjects: [this.layoutSubject] });
    const layout: Layout = { version: 1, logId: logId ?? randomUUID(), partitions };
    try {
      await this.client.publish(this.layoutSubject, JSON.stringify(layout), { expect: { lastSequence: 0 } });
      return layout;
    } catch (error) {
      const isWritten = error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamWrongLastSequence;
      const written = isWritten ? await this.readLayout() : undefined;
      // Another process was faster.
      if (written) return written;
      throw error;
    }
  }

  private async openPartition(
    partition: number,
    { partitions, after, mayCreate }: LogStreamsOptions,
    isExpected: boolean,
  ): Promise<void> {
    const name = this.nameOf(partition);
    if (isExpected && !mayCreate && (await this.find(name)) === undefined) {
      throw new PointLogLostError(`${this.place} has lost a part of the point log: there is no stream ${name}`);
    }
    const { maxBytes } = this.address;
    const { state } = await this.ensure({
      name,
      subjects: [this.subjectOf(partition)],
      max_bytes: maxBytes === undefined ? -1 : Math.floor(maxBytes / partitions),
      duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    });
    // Positions that readers have passed must not be assigned again: they would skip the records.
    const least = after[partition] ?? 0;
    if (state.last_seq < least) await this.manager.streams.purge(name, { seq: least + 1 });
  }

  /** Creates the stream, or updates its replicas and size. */
  private async ensure(wanted: Pick<StreamConfig, 'name' | 'subjects'> & Partial<StreamConfig>): Promise<StreamInfo> {
    const { name } = wanted;
    const config: typeof wanted = {
      ...wanted,
      description: 'Plumbline: accepted points on their way to detection',
      retention: 'limits',
      storage: 'file',
      // A full stream rejects the newest record, which is sent again; the oldest was acknowledged.
      discard: 'new',
      deny_delete: true,
      num_replicas: this.address.replicas,
    };
    const found = (await this.find(name)) ?? (await this.create(config));
    const { subjects, num_replicas: replicas, max_bytes: maxBytes, discard } = found.config;
    if (subjects.join() !== wanted.subjects.join() || discard !== 'new') {
      throw new JetStreamUnusableError(
        `${this.place}: the stream ${name} is used for something else; choose another name by "stream=" in POINT_LOG_URL`,
      );
    }
    if (replicas === config.num_replicas && maxBytes === (config.max_bytes ?? -1)) return found;
    return this.explained(() =>
      this.manager.streams.update(name, { num_replicas: config.num_replicas!, max_bytes: config.max_bytes ?? -1 }),
    );
  }

  private async create(config: Parameters<JetStreamManager['streams']['add']>[0]): Promise<StreamInfo> {
    try {
      return await this.explained(() => this.manager.streams.add(config));
    } catch (error) {
      // Another process may have created it at the same moment with other settings.
      const found = await this.find(config.name).catch(() => undefined);
      if (found) return found;
      throw error;
    }
  }

  private async find(name: string): Promise<StreamInfo | undefined> {
    try {
      return await this.manager.streams.info(name);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** A permanent rejection by the server is caused by settings. */
  private async explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof JetStreamApiError) || error.status === 503) throw error;
      const { replicas } = this.address;
      const advice =
        replicas > 1 ? `: replicas=${String(replicas)} needs a cluster of as many servers with JetStream` : '';
      throw new JetStreamUnusableError(
        `${this.place} refuses the streams of the point log (${error.message})${advice}`,
        {
          cause: error,
        },
      );
    }
  }
}

const isNotFound = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
