import { Permission } from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type User, type Viewer } from './user.types.js';

export function viewerOf(caller: KnownCaller): Viewer {
  const admin = (caller.permissions & Permission.Admin) !== 0;
  return caller.kind === 'user'
    ? { userId: caller.userId, admin, demo: caller.demo }
    : { userId: null, admin, demo: false };
}

/** Whether `viewer` may know that the user exists. */
export function isVisibleTo(user: User, viewer: Viewer): boolean {
  return !viewer.demo || viewer.userId === user.id;
}
