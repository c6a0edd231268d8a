import { type Destination } from '#libs/alerting';
import { type Watcher } from './watcher.types.js';

/** The destination of a watcher of a demo: one mailbox each, which shows the messages that it would have sent. */
export const demoMailboxOf = ({ id }: Pick<Watcher, 'id'>): Destination => ({
  channel: 'demo',
  recipient: `watcher-${String(id)}`,
  userId: null,
  mentions: [],
});
