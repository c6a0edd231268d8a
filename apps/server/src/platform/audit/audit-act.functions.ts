import { isDeepStrictEqual } from 'node:util';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type AuditActor, type AuditChange, type Json, SYSTEM_ACTOR } from './audit.types.js';

/** The caller of a request as an actor. */
export function actorOf(caller: KnownCaller): AuditActor {
  if (caller.kind === 'user') return { type: 'user', userId: caller.userId };
  // Requests with signed addresses change nothing, so the actor is the service itself.
  return caller.tokenRef === 0 ? SYSTEM_ACTOR : { type: 'token', tokenRef: caller.tokenRef };
}

/**
 * The members that differ, in the order of `after`; a member that is missing on one side counts as null. A changed
 * member named in `secrets` is written as null and "changed", regardless of its values.
 */
export function changesBetween(
  before: object,
  after: object,
  { secrets = [] }: { secrets?: readonly string[] } = {},
): AuditChange[] {
  const [old, fresh] = [asJson(before), asJson(after)];
  const changes: AuditChange[] = [];
  for (const field of new Set([...Object.keys(fresh), ...Object.keys(old)])) {
    const pair = { before: old[field] ?? null, after: fresh[field] ?? null };
    if (isDeepStrictEqual(pair.before, pair.after)) continue;
    changes.push(secrets.includes(field) ? { field, before: null, after: 'changed' } : { field, ...pair });
  }
  return changes;
}

/** The stored form: times as text, members without value omitted. */
function asJson(value: object): Record<string, Json> {
  return JSON.parse(JSON.stringify(value)) as Record<string, Json>;
}
