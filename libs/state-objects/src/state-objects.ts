/**
 * Bytes under names, a set for each partition, outside the database. A name is written once; rows of the database
 * define which count.
 */
export interface StateObjects {
  /** Their location, for messages; without credentials. */
  readonly place: string;
  /** Durable when it resolves. The same name again replaces what was put under it. */
  put(partition: number, name: string, bytes: Uint8Array): Promise<void>;
  /** Null if there is no such object, or not all of it. */
  get(partition: number, name: string): Promise<Uint8Array | null>;
  /** Does nothing when there is no such object. */
  remove(partition: number, name: string): Promise<void>;
  /** Removes all other objects of the partition, and what was left of those that were never put completely. Returns how many. */
  keepOnly(partition: number, names: ReadonlySet<string>): Promise<number>;
  /** Rejects with a sentence for operators while they are out of reach. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The server is out of reach, or has no room: the same call may work later. */
export class StateObjectsUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StateObjectsUnavailableError';
  }
}

/** The buckets that were asked for are not on the server, or not all of them. */
export class StateObjectsLostError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StateObjectsLostError';
  }
}
