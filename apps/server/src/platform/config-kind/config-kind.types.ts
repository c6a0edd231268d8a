import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { type ParamsClass } from '../../common/validation/param-registry.js';

/** Members of a document except `kind`, in JSON. */
export type ConfigFields = Readonly<Record<string, unknown>>;

/** Classes of the members by the value of one of them, such as `type`; each class declares that member, too. */
export interface ConfigVariants {
  member: string;
  /** Its value if it is omitted; null: it is required. */
  standard: string | null;
  classes: ReadonlyMap<string, ParamsClass>;
}

/** Description of a kind, available without running it. */
export interface ConfigDescription {
  /** As documents name it. */
  readonly kind: string;
  /** A sentence for those who write documents. */
  readonly says: string;
  /** Rules of the members of a document; omitted members have their defaults. */
  readonly params: ParamsClass | ConfigVariants;
  /** A fixed set of objects always exists, instead of any number that people create. */
  readonly isFixed: boolean;
  /** Others may need it: it is applied before them, regardless of its position in the document. */
  readonly isBasis: boolean;
}

/** One thing as it is stored. */
export interface ConfigObject {
  id: number;
  /** For people. */
  name: string;
  /** All members with their values, including defaults, as a complete document has them. Secrets in clear. */
  fields: ConfigFields;
  /** It exists by itself and all of it is the default: exports leave it out. */
  isUntouched?: boolean;
}

/** A member whose value no document, diff or answer shows. */
export interface ConfigSecret {
  /** Name of the variable that exports write instead of it. */
  variable: string;
  /** It is made when it is omitted, and then stays as it is. */
  isGenerated: boolean;
  /**
   * The address that it is sent to, according to those members: a stored secret is kept only while this is unchanged.
   * Omitted: it has none.
   */
  sentTo?: string;
}

/**
 * A kind of things that documents can describe. Each area registers its own with `ConfigKindsService`; its class carries
 * `@DescribesConfig`. All methods work within the transaction of the caller, which may be rolled back, leave what follows
 * its commit to it (`afterCommit`), and throw the errors of their calls; details name members.
 */
export interface ConfigKind<P extends object = object> {
  list(caller: KnownCaller, tx: Tx): Promise<ConfigObject[]>;
  /** Equal for two that are the same thing: a document changes the stored one with its key. */
  keyOf(fields: ConfigFields): string;
  /**
   * Equal for two of which a document may mean the same thing although their keys differ, such as a name in other
   * letters: if no object of the document has the key of a stored one, the one with its likeness changes it. Null, or
   * without it: none.
   */
  likenessOf?(fields: ConfigFields): string | null;
  /** The stored fields of a valid document, with defaults filled in. */
  fieldsOf(caller: KnownCaller, params: P, tx: Tx): ConfigFields | Promise<ConfigFields>;
  /** Texts that are secrets, by member. `fields` may be those of a document that was not judged. */
  secretsOf?(fields: ConfigFields): ReadonlyMap<string, ConfigSecret>;
  create(caller: KnownCaller, params: P, tx: Tx): Promise<void>;
  update(caller: KnownCaller, id: number, params: P, tx: Tx): Promise<void>;
  remove(caller: KnownCaller, id: number, tx: Tx): Promise<void>;
}
