import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { type ParamsClass } from '../../common/validation/param-registry.js';

/** Members of a document besides `kind`, in JSON. */
export type ConfigFields = Readonly<Record<string, unknown>>;

/** One thing as it is stored. */
export interface ConfigObject {
  id: number;
  /** For people. */
  name: string;
  /** All members with their values, also those that are the default: what a document would have to say. */
  fields: ConfigFields;
}

/** What is still to be done once the transaction is committed, such as events. */
export type AfterCommit = () => void | Promise<void>;

/**
 * A kind of things that documents can describe. Each area registers its own with `ConfigKinds`. All methods work within
 * the transaction of the caller, which may be rolled back, and throw the errors of their calls.
 */
export interface ConfigKind<P extends object = object> {
  /** As documents name it. */
  readonly kind: string;
  /** What the members of a document must be; those that it leaves out have their defaults. */
  readonly params: ParamsClass<P>;
  /** Whether there are as many as people make, or a fixed number that always exists. */
  readonly isFixed: boolean;
  list(caller: KnownCaller, tx: Tx): Promise<ConfigObject[]>;
  /** Equal for two that are the same thing: a document changes the stored one with its key. */
  keyOf(fields: ConfigFields): string;
  /** What is stored of a sound document, defaults filled in. */
  fieldsOf(caller: KnownCaller, params: P): ConfigFields;
  create(caller: KnownCaller, params: P, tx: Tx): Promise<AfterCommit>;
  update(caller: KnownCaller, id: number, params: P, tx: Tx): Promise<AfterCommit>;
  remove(caller: KnownCaller, id: number, tx: Tx): Promise<AfterCommit>;
}
