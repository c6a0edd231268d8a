/** POINT_LOG_URL does not go with where the points of this installation are. Says what to do. */
export class PointLogPlaceError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PointLogPlaceError';
  }
}
