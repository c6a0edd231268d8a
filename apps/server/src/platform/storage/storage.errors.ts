/** POINT_LOG_URL does not match the store of the points of this installation. The message states what to do. */
export class PointLogPlaceError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PointLogPlaceError';
  }
}
