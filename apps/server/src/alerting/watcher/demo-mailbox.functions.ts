import { type Destination } from '#libs/alerting';
import { type Watcher } from './watcher.types.js';

/**
 * The destination of a demo's watcher: one mailbox for each, so that each shows the messages that it would have sent.
 */
export const demoMailboxOf = ({ id }: Pick<Watcher, 'id'>): Destination => ({
  channel: 'demo',
  recipient: `watcher-${String(id)}`,
  userId: null,
  mentions: [],
});
