export const AUDIT_ACTOR_TYPES = ['user', 'token', 'system', 'operator'] as const;
export type AuditActorType = (typeof AUDIT_ACTOR_TYPES)[number];

/** The actor of an act. `system` is the service itself, `operator` a user of the command line. */
export interface AuditActor {
  type: AuditActorType;
  userId?: number;
  tokenRef?: number;
}

export const SYSTEM_ACTOR: AuditActor = { type: 'system' };
export const OPERATOR_ACTOR: AuditActor = { type: 'operator' };

export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

export interface AuditChange {
  field: string;
  before: Json;
  after: Json;
}

/** An administrative act on an organisation. */
export interface AuditAct {
  orgId: number;
  actor: AuditActor;
  /** The act with its kind of object: `token.create`. */
  action: string;
  /** The object of the act, with its name at that time. */
  object: { type: string; id: string; name: string };
  /** Never contains secrets: see `changesBetween`. */
  changes?: readonly AuditChange[];
}
