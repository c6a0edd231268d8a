import { type KnownCaller } from '../../common/auth/caller.js';

/**
 * Callers with the same text are shown the same records: what is rendered for one of them serves all. A change of what
 * records show to whom belongs in here.
 */
export function viewOf(caller: KnownCaller): string {
  const rights = `${String(caller.org.id)} ${caller.org.timezone} ${String(caller.permissions)}`;
  // A tour is shown to its own user.
  return caller.kind === 'token' ? `${rights} token` : `${rights} user ${String(caller.userId)}`;
}
