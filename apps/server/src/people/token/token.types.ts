import { type AuditActor } from '../../platform/audit/audit.types.js';

/** A new token of an organisation. */
export interface NewToken {
  name: string;
  /** Permission bits. */
  permissions: number;
  /** Null = no expiry. */
  validUntil: Date | null;
  /** Null when no user asked for it. */
  createdUserId: number | null;
  /** For the audit trail; default the user who asked for it, else the service. */
  actor?: AuditActor;
}

/** What may change of a token; what is left out stays. */
export interface TokenChange {
  name?: string;
  /** Permission bits, none that it does not have. */
  permissions?: number;
  validUntil?: Date | null;
}
