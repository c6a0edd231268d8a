/** The server answers, and this log cannot be used as it is: settings or server must change. Says how. */
export class JetStreamUnusableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JetStreamUnusableError';
  }
}

/** The log that was asked for is not on the server, or not all of it. */
export class PointLogLostError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PointLogLostError';
  }
}
