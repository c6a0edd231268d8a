import { type SeriesStore } from '#libs/series';
import { type RequestTurns } from '../../common/database/request-turns.js';

/** Reads for API requests take their turn between organisations; those of detection and of the background do not wait. */
export function readsByTurns<Store extends SeriesStore>(store: Store, turns: RequestTurns): Store {
  const read = store.read.bind(store);
  const readRaw = store.readRaw.bind(store);
  return Object.assign(store, {
    read: (...query: Parameters<typeof read>) => turns.run(() => read(...query)),
    readRaw: (...query: Parameters<typeof readRaw>) => turns.run(() => readRaw(...query)),
  });
}
