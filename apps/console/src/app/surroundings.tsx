import { withoutAccount } from '../lib/session-state';
import { OpenFrame } from './open-frame';
import { Shell } from './shell';

/**
 * The frame of a page: with an account, or the reduced one without. They share a file: separate files would share a
 * handful of small ones, which every first page would have to load.
 */
export function Surroundings() {
  return withoutAccount.use() ? <OpenFrame /> : <Shell />;
}
