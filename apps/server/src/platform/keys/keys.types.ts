/**
 * A column of copies created by `Secrets.seal`. Every such column must be listed in SEALED_COLUMNS: copies in other
 * columns cannot be opened after a previous key is removed.
 */
export interface SealedColumn {
  table: string;
  /** Primary key, one column. */
  keyColumn: string;
  keyType: 'integer' | 'bytea' | 'uuid';
  column: string;
  /** As passed to `Secrets.seal`. */
  purpose: string;
  /** SQL for the context that the copy is bound to. */
  boundTo: string;
  /** A column with the keyed hash of the sealed text, for lookups; it moves to the new key together with the copy. */
  hash?: { column: string; purpose: string };
}

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'token',
    keyColumn: 'ref',
    keyType: 'integer',
    column: 'sealed',
    purpose: 'token',
    boundTo: `'org/' || org_id`,
    hash: { column: 'hash', purpose: 'token' },
  },
  {
    table: 'org',
    keyColumn: 'id',
    keyType: 'integer',
    column: 'chat_api_token_sealed',
    purpose: 'chat-api-token',
    boundTo: `'org/' || id`,
  },
  {
    table: 'org',
    keyColumn: 'id',
    keyType: 'integer',
    column: 'teams_chat_webhook_sealed',
    purpose: 'teams-chat-webhook',
    boundTo: `'org/' || id`,
  },
  {
    table: 'watcher',
    keyColumn: 'id',
    keyType: 'integer',
    column: 'teams_chat_webhook_sealed',
    purpose: 'watcher-teams-webhook',
    boundTo: `'org/' || org_id`,
  },
  {
    table: 'integration',
    keyColumn: 'id',
    keyType: 'integer',
    column: 'secrets_sealed',
    purpose: 'integration',
    boundTo: `'integration/' || org_id || '/' || service_id`,
  },
  {
    table: 'source',
    keyColumn: 'id',
    keyType: 'integer',
    column: 'secrets_sealed',
    purpose: 'source',
    boundTo: `'org/' || org_id`,
  },
  {
    table: 'mail_outbox',
    keyColumn: 'id',
    keyType: 'uuid',
    column: 'sealed',
    purpose: 'mail',
    boundTo: `'mail_outbox/' || id`,
  },
  {
    table: 'account_link',
    keyColumn: 'token_hash',
    keyType: 'bytea',
    column: 'payload_sealed',
    purpose: 'account link',
    boundTo: `'account link/' || encode(token_hash, 'hex')`,
  },
  {
    table: 'sso_login',
    keyColumn: 'state_hash',
    keyType: 'bytea',
    column: 'sealed',
    purpose: 'sso',
    boundTo: `'sso_login/' || encode(state_hash, 'hex')`,
  },
];

/**
 * Objects found by the keyed hash of a text that is not stored: they cannot move to a new key, and end with their key
 * unless they expire earlier.
 */
export const HASHED_THINGS = [
  { name: 'sessions', table: 'session', isAlive: 'ended_at IS NULL AND expires_at > to_timestamp($2)' },
  { name: 'known clients', table: 'known_client', isAlive: 'expires_at > to_timestamp($2)' },
  { name: 'mailed links', table: 'account_link', isAlive: 'used_at IS NULL AND expires_at > to_timestamp($2)' },
] as const;

/** Sealed copies of one column, by the key that they need. */
export interface SealedCount {
  column: SealedColumn;
  keyId: string;
  count: number;
}

/** Objects that are found by hashes of a key that is no longer current. */
export interface HashedCount {
  name: (typeof HASHED_THINGS)[number]['name'];
  count: number;
}

/** A key in the database. Times in Unix seconds. */
export interface KnownKey {
  id: string;
  checkValue: Buffer;
  usedFrom: number;
}
