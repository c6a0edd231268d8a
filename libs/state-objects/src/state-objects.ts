/**
 * Objects of bytes with names, one set per partition, outside the database. A name is written once; rows of the
 * database define which objects are valid.
 */
export interface StateObjects {
  /** Their location, for messages; without credentials. */
  readonly place: string;
  /** Durable when it resolves. Replaces an existing object of the same name. */
  put(partition: number, name: string, bytes: Uint8Array): Promise<void>;
  /** Null if there is no such object, or if it is incomplete. */
  get(partition: number, name: string): Promise<Uint8Array | null>;
  /** Does nothing if there is no such object. */
  remove(partition: number, name: string): Promise<void>;
  /**
   * Removes all other objects of the partition, and the remains of those that were never stored completely. Returns the
   * number of removed objects.
   */
  keepOnly(partition: number, names: ReadonlySet<string>): Promise<number>;
  /** Rejects with a message for operators while they are out of reach. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The server is out of reach, or has no space: the same call may work later. */
export class StateObjectsUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StateObjectsUnavailableError';
  }
}

/** At least one of the requested buckets is not on the server. */
export class StateObjectsLostError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StateObjectsLostError';
  }
}
