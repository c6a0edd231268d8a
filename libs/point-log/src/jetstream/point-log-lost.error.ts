/** The log is not on the server, or not all of it. */
export class PointLogLostError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PointLogLostError';
  }
}
