import { type ParamKind } from '../../common/validation/param-kind.js';

export const FIELD_TYPES = ['string', 'secret', 'int', 'bool', 'url', 'list', 'object', 'select'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** A value as it is stored and answered. */
export type FieldValue = string | number | boolean | readonly (string | number)[] | Readonly<Record<string, string>>;

/** A setting of a service. `T`: its value once the service is connected. */
export interface Field<T> {
  readonly type: FieldType;
  readonly label: string;
  /** A sentence for people. */
  readonly help: string;
  /** Required for the service to be connected. */
  readonly required: boolean;
  /** Of `select` and `list`: the values that may be chosen; empty: any. */
  readonly options: readonly string[];
  /** The value while none is stored; null: none. */
  readonly default: FieldValue | null;
  readonly kind: ParamKind<unknown>;
  /** The address or host must be one that the operator allows organisations to use; null: the field is neither. */
  readonly leadsTo: 'url' | 'host' | null;
  /**
   * Part of the address in addition to the field with the host, such as a port: secrets that are sent there are also
   * bound to its value.
   */
  readonly isAddressPart: boolean;
  /** Never called; it carries the type of the value. */
  readonly value?: () => T;
}

export type AnyField = Field<unknown>;
export type Fields = Readonly<Record<string, AnyField>>;

/** The values of some fields, defaults filled in. */
export type ValuesOf<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never;
};
