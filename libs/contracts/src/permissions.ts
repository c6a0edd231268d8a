/** Permissions of a caller. Bits are append-only: a number never changes its meaning. */
export const Permission = {
  /** Fetch. */
  Read: 1,
  /** Change watchers, exclusions, patterns, training. */
  Write: 2,
  /** Act on alerts: acknowledge, mute, raise admin alerts. */
  Alert: 4,
  /** Send data. */
  Ingest: 8,
  /** Organisation settings, users, tokens, quota, billing, audit. */
  Admin: 16,
} as const;
export type Permission = (typeof Permission)[keyof typeof Permission];

export const PERMISSION_NAMES = ['read', 'write', 'alert', 'ingest', 'admin'] as const;
export type PermissionName = (typeof PERMISSION_NAMES)[number];
export type PermissionFlags = Record<PermissionName, boolean>;

const BIT_OF: Record<PermissionName, Permission> = {
  read: Permission.Read,
  write: Permission.Write,
  alert: Permission.Alert,
  ingest: Permission.Ingest,
  admin: Permission.Admin,
};

export const ALL_PERMISSIONS = PERMISSION_NAMES.reduce((bits, name) => bits | BIT_OF[name], 0);

/** Stored form (one small integer) of the five booleans of the wire form. */
export function toBits(flags: Partial<PermissionFlags>): number {
  return PERMISSION_NAMES.reduce((bits, name) => (flags[name] ? bits | BIT_OF[name] : bits), 0);
}

/** Wire form of stored permission bits. Unknown bits are ignored. */
export function toFlags(bits: number): PermissionFlags {
  return {
    read: (bits & Permission.Read) !== 0,
    write: (bits & Permission.Write) !== 0,
    alert: (bits & Permission.Alert) !== 0,
    ingest: (bits & Permission.Ingest) !== 0,
    admin: (bits & Permission.Admin) !== 0,
  };
}

/** Names of the bits in `needed` that `held` lacks, in the order of the catalogue. */
export function missingPermissions(held: number, needed: number): PermissionName[] {
  return PERMISSION_NAMES.filter((name) => (needed & BIT_OF[name]) !== 0 && (held & BIT_OF[name]) === 0);
}
