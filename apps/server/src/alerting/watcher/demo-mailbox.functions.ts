import { type Destination } from '#libs/alerting';
import { type Watcher } from './watcher.types.js';

/** Where the messages of a demo's watcher go: one mailbox for each, so that each shows what it would have sent. */
export const demoMailboxOf = ({ id }: Pick<Watcher, 'id'>): Destination => ({
  channel: 'demo',
  recipient: `watcher-${String(id)}`,
  userId: null,
  mentions: [],
});
