/** Another process now owns the partition: the state in the memory of this process is invalid. */
export class PartitionLostError extends Error {
  constructor(partition: number) {
    super(`Partition ${String(partition)} is owned by another process`);
    this.name = 'PartitionLostError';
  }
}

/** The detector failed at records of the log; the partition must be reopened from its checkpoint. */
export class ShardFailedError extends Error {
  constructor(
    readonly partition: number,
    /** Log positions that may be the cause. */
    readonly positions: readonly number[],
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ShardFailedError';
  }
}

/** The thread with the state of the partition has ended; the partition must be reopened from its checkpoint. */
export class ShardGoneError extends Error {
  constructor(partition: number, options?: ErrorOptions) {
    super(`The thread of partition ${String(partition)} has been replaced`, options);
    this.name = 'ShardGoneError';
  }
}

/**
 * DETECTION_STATE_URL does not match the store of the learnt state of this installation. The message states what to do.
 */
export class DetectionStateError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DetectionStateError';
  }
}

/** Rows refer to objects, and this process is not configured for them. */
export class StateElsewhereError extends DetectionStateError {
  constructor() {
    super(
      'Learnt state of this installation is in NATS JetStream, and DETECTION_STATE_URL is not set. Set it as it was; to go ' +
        'back to the database, add "move=postgresql" to it for one start (docs/guide/jetstream.md).',
    );
    this.name = 'StateElsewhereError';
  }
}
