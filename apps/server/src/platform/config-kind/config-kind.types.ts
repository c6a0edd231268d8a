import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { type ParamsClass } from '../../common/validation/param-registry.js';

/** Members of a document except `kind`, in JSON. */
export type ConfigFields = Readonly<Record<string, unknown>>;

/** Classes of the members by the value of one of them, such as `type`; each class declares that member too. */
export interface ConfigVariants {
  member: string;
  /** Its default value; null: it is required. */
  standard: string | null;
  classes: ReadonlyMap<string, ParamsClass>;
}

/** Description of a kind, available without running it. */
export interface ConfigDescription {
  /** Name in documents. */
  readonly kind: string;
  /** A sentence for authors of documents. */
  readonly says: string;
  /** Rules of the members of a document; omitted members have their defaults. */
  readonly params: ParamsClass | ConfigVariants;
  /** True if a fixed set of objects always exists, instead of any number that people create. */
  readonly isFixed: boolean;
  /**
   * True if objects of other kinds may need it: it is applied before them, regardless of its position in the document.
   */
  readonly isBasis: boolean;
}

/** A stored object. */
export interface ConfigObject {
  id: number;
  /** For people. */
  name: string;
  /** All members with their values, including defaults, as in a complete document. Secrets in clear. */
  fields: ConfigFields;
  /** True if the object always exists and has only default values: exports omit it. */
  isUntouched?: boolean;
}

/** A member whose value no document, diff or answer shows. */
export interface ConfigSecret {
  /** Name of the variable that exports write instead of the value. */
  variable: string;
  /** True if it is generated when it is omitted, and then stays unchanged. */
  isGenerated: boolean;
  /**
   * The address that the secret is sent to, according to those members: a stored secret is kept only while the address
   * is unchanged. Omitted: there is none.
   */
  sentTo?: string;
}

/**
 * A kind of things that documents can describe. Each area registers its own with `ConfigKindsService`; its class
 * carries `@DescribesConfig`. All methods work within the transaction of the caller, which may be rolled back. They
 * defer work that must follow the commit (`afterCommit`), and throw the errors of their calls; details name members.
 */
export interface ConfigKind<P extends object = object> {
  list(caller: KnownCaller, tx: Tx): Promise<ConfigObject[]>;
  /** Equal for two objects that are the same thing: a document changes the stored object with its key. */
  keyOf(fields: ConfigFields): string;
  /**
   * Equal for two objects that a document may mean as the same thing although their keys differ, such as a name with
   * different case: if no object of the document has the key of a stored object, the one with its likeness changes it.
   * Null or not implemented: no likeness.
   */
  likenessOf?(fields: ConfigFields): string | null;
  /** The stored fields of a valid document, with defaults filled in. */
  fieldsOf(caller: KnownCaller, params: P, tx: Tx): ConfigFields | Promise<ConfigFields>;
  /** Secrets by member. `fields` may come from a document that has not been validated. */
  secretsOf?(fields: ConfigFields): ReadonlyMap<string, ConfigSecret>;
  create(caller: KnownCaller, params: P, tx: Tx): Promise<void>;
  update(caller: KnownCaller, id: number, params: P, tx: Tx): Promise<void>;
  remove(caller: KnownCaller, id: number, tx: Tx): Promise<void>;
}
