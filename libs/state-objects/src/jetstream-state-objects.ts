import {
  jetstream,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { type ObjectInfo, type ObjectStore, Objm, setSha256Backend, StorageType } from '@nats-io/obj';
import { type NatsConnection } from '@nats-io/transport-node';
import {
  rejectAfter,
  connectTo,
  isSwitchedOff,
  type JetStreamAddress,
  JetStreamUnusableError,
  reasonOf,
  switchedOff,
} from '#libs/jetstream';
import { type StateObjects, StateObjectsUnavailableError, StateObjectsLostError } from './state-objects.js';

export interface StateObjectsOptions {
  /** `stream` is the first part of the names of all buckets. */
  address: JetStreamAddress;
  partitions: number;
  /** Id of the installation: its buckets contain it to identify their owner. */
  ownerId: string;
  /** If true, missing buckets are created; otherwise opening throws StateObjectsLostError. */
  mayCreate: boolean;
}

const ANSWER_MS = 5000;
const MANAGE_MS = 10_000;
const PING_MS = 1500;
/** Timeout for all pieces of an object, which has about half a megabyte. */
const OBJECT_MS = 20_000;
const DESCRIPTION = 'Plumbline: learnt state of installation ';

/** StateObjects in the object store of NATS JetStream: a bucket for each partition. */
export class JetStreamStateObjects implements StateObjects {
  private isClosed = false;

  private constructor(
    readonly place: string,
    private readonly connection: NatsConnection,
    private readonly manager: JetStreamManager,
    private readonly buckets: readonly Bucket[],
  ) {}

  /**
   * Connects, and opens or creates the buckets.
   * @throws StateObjectsUnavailableError if the server is unreachable; JetStreamUnusableError and StateObjectsLostError for
   * problems that only an operator can solve
   */
  static async open(options: StateObjectsOptions): Promise<JetStreamStateObjects> {
    const { address, partitions } = options;
    const place = placeOf(address);
    const connection = await connectTo(address, 'plumbline learnt state', 'DETECTION_STATE_URL').catch(
      (error: unknown) => {
        throw openingError(error, place);
      },
    );
    try {
      // Checksums are computed by the runtime; the default implementation is JavaScript.
      setSha256Backend('native');
      // Creating buckets takes longer than using them.
      const maker = await jetstreamManager(connection, { timeout: MANAGE_MS });
      const client = jetstream(connection, { timeout: ANSWER_MS });
      const buckets = await Promise.all(
        Array.from({ length: partitions }, (_, partition) =>
          openBucket(`${address.stream}-${String(partition)}`, new Objm(client), maker, options),
        ),
      );
      const manager = await jetstreamManager(connection, { timeout: ANSWER_MS, checkAPI: false });
      return new JetStreamStateObjects(place, connection, manager, buckets);
    } catch (error) {
      await connection.close();
      throw openingError(error, place);
    }
  }

  async put(partition: number, name: string, bytes: Uint8Array): Promise<void> {
    const { store } = this.bucket(partition);
    try {
      await inTime(store.putBlob({ name }, bytes, { timeout: ANSWER_MS }));
    } catch (error) {
      throw this.unavailable('accepts no learnt state', error);
    }
  }

  async get(partition: number, name: string): Promise<Uint8Array | null> {
    const bucket = this.bucket(partition);
    try {
      const info = await bucket.store.info(name);
      if (info === null || info.deleted) return null;
      // The client would wait for the pieces of an incomplete object until the timeout.
      if (!(await this.hasPieces(bucket, info))) return null;
      return await inTime(bucket.store.getBlob(name));
    } catch (error) {
      if (isDamaged(error)) return null;
      throw this.unavailable('gives no learnt state', error);
    }
  }

  async remove(partition: number, name: string): Promise<void> {
    const bucket = this.bucket(partition);
    try {
      const info = await bucket.store.info(name);
      if (info !== null) await this.removeFound(bucket, info);
    } catch (error) {
      throw this.unavailable('removes no learnt state', error);
    }
  }

  async keepOnly(partition: number, names: ReadonlySet<string>): Promise<number> {
    const bucket = this.bucket(partition);
    try {
      const found = await inTime(bucket.store.list());
      const others = found.filter(({ name }) => !names.has(name));
      for (const info of others) await this.removeFound(bucket, info);
      const kept = new Set(found.filter(({ name }) => names.has(name)).map((info) => piecesOf(bucket, info)));
      const { state } = await this.manager.streams.info(bucket.stream, { subjects_filter: piecesOf(bucket) });
      const incomplete = Object.keys(state.subjects ?? {}).filter((subject) => !kept.has(subject));
      for (const filter of incomplete) await this.manager.streams.purge(bucket.stream, { filter });
      return others.length + incomplete.length;
    } catch (error) {
      throw this.unavailable('cannot be tidied', error);
    }
  }

  async ping(): Promise<void> {
    try {
      const info = this.manager.streams.info(this.bucket(0).stream);
      // The race below handles a rejection; a later one is ignored.
      info.catch(() => undefined);
      await Promise.race([info, rejectAfter(PING_MS)]);
    } catch (error) {
      throw this.unavailable('does not answer', error);
    }
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    await this.connection.close();
  }

  /** Removes the pieces first: if this is interrupted, the object is still found, and removed later. */
  private async removeFound(bucket: Bucket, info: ObjectInfo): Promise<void> {
    await this.manager.streams.purge(bucket.stream, { filter: piecesOf(bucket, info) });
    // The client itself would leave an entry for each deleted object.
    await this.manager.streams.purge(bucket.stream, { filter: noteOf(bucket, info.name) });
  }

  private async hasPieces(bucket: Bucket, info: ObjectInfo): Promise<boolean> {
    const subject = piecesOf(bucket, info);
    const { state } = await this.manager.streams.info(bucket.stream, { subjects_filter: subject });
    return (state.subjects?.[subject] ?? 0) === info.chunks;
  }

  private bucket(partition: number): Bucket {
    const bucket = this.buckets[partition];
    if (!bucket) throw new RangeError(`There is no partition ${String(partition)}`);
    return bucket;
  }

  private unavailable(what: string, error: unknown): StateObjectsUnavailableError {
    return new StateObjectsUnavailableError(`${this.place} ${what}: ${reasonOf(error)}`, { cause: error });
  }
}

interface Bucket {
  name: string;
  /** The stream that stores the bucket. */
  stream: string;
  store: ObjectStore;
}

/** Subjects of the pieces of an object, or of all pieces if none is given. */
const piecesOf = ({ name }: Bucket, info?: ObjectInfo): string => `$O.${name}.C.${info?.nuid ?? '>'}`;

function noteOf({ name }: Bucket, object: string): string {
  return `$O.${name}.M.${Buffer.from(object).toString('base64').replaceAll('+', '-').replaceAll('/', '_')}`;
}

async function openBucket(
  name: string,
  objects: Objm,
  manager: JetStreamManager,
  { address, partitions, ownerId, mayCreate }: StateObjectsOptions,
): Promise<Bucket> {
  const stream = `OBJ_${name}`;
  const place = placeOf(address);
  const { replicas } = address;
  const maxBytes = address.maxBytes === undefined ? -1 : Math.floor(address.maxBytes / partitions);
  try {
    if (!mayCreate && !(await isThere(manager, stream))) {
      throw new StateObjectsLostError(`${place} has lost learnt state: there is no bucket ${name}`);
    }
    const description = `${DESCRIPTION}${ownerId}`;
    const settings = { description, storage: StorageType.File, replicas, max_bytes: maxBytes };
    const store = await objects.create(name, settings);
    const { config } = (await store.status()).streamInfo;
    if (config.description !== description) {
      const isOthers = config.description?.startsWith(DESCRIPTION) === true;
      throw new JetStreamUnusableError(
        `${place}: the bucket ${name} ${isOthers ? 'belongs to another installation' : 'is used for something else'}. ` +
          'Choose another name by "bucket=" in DETECTION_STATE_URL',
      );
    }
    if (config.num_replicas !== replicas || config.max_bytes !== maxBytes) {
      await manager.streams.update(stream, { num_replicas: replicas, max_bytes: maxBytes });
    }
    return { name, stream, store };
  } catch (error) {
    // A permanent refusal of the server is caused by settings.
    if (!(error instanceof JetStreamApiError) || error.status === 503 || isSwitchedOff(error)) throw error;
    const advice =
      replicas > 1 ? `: replicas=${String(replicas)} needs a cluster of as many servers with JetStream` : '';
    throw new JetStreamUnusableError(`${place} refuses the buckets of learnt state (${error.message})${advice}`, {
      cause: error,
    });
  }
}

async function isThere(manager: JetStreamManager, stream: string): Promise<boolean> {
  try {
    await manager.streams.info(stream);
    return true;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return false;
    throw error;
  }
}

/** Servers and buckets, for messages. */
function placeOf({ servers, stream }: JetStreamAddress): string {
  return `NATS JetStream at ${servers.join(', ')}, buckets ${stream}`;
}

function openingError(error: unknown, place: string): unknown {
  if (error instanceof JetStreamUnusableError || error instanceof StateObjectsLostError) return error;
  if (isSwitchedOff(error)) return switchedOff(place);
  return new StateObjectsUnavailableError(`${place} does not answer: ${reasonOf(error)}`, { cause: error });
}

/** True if the bytes are not those that were stored. */
const isDamaged = (error: unknown): boolean => error instanceof Error && error.message.includes('corrupt object');

function inTime<T>(work: Promise<T>): Promise<T> {
  // The race below handles a rejection; a later one is ignored.
  work.catch(() => undefined);
  return Promise.race([work, rejectAfter(OBJECT_MS)]);
}
