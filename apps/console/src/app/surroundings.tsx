import { withoutAccount } from '../lib/session-state';
import { OpenFrame } from './open-frame';
import { Shell } from './shell';

/**
 * What stands around a page: that of an account, or the little that is left without one. It is no file of its own: what
 * both have in common would be a handful of small files, which every first page would have to ask for.
 */
export function Surroundings() {
  return withoutAccount.use() ? <OpenFrame /> : <Shell />;
}
