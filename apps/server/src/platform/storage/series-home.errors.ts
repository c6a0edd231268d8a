/** The settings name a store that cannot have the points of the installation; the message states what to do. */
export class WrongSeriesStoreError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WrongSeriesStoreError';
  }
}
