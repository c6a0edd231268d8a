import { withoutAccount } from '../lib/session-state';
import { OpenFrame } from './open-frame';
import { Shell } from './shell';

/**
 * The frame of a page: with an account, or the reduced one without. They are in one file: separate files would have a
 * handful of small shared files, which every first page would have to load.
 */
export function Surroundings() {
  return withoutAccount.use() ? <OpenFrame /> : <Shell />;
}
