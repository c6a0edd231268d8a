import { type DetailCode } from '#libs/contracts';

/** Context of a conversion, apart from the value. */
export interface ParamContext {
  /** Unix seconds at which the request is validated. */
  now: number;
  /** On a write an empty string or null clears a member; on a fetch it counts as omitted. */
  write: boolean;
  /** Unknown members are a problem (writes), or ignored (fetches). */
  refuseUnknown: boolean;
}

export interface ParamFault {
  /** Path inside the parameter: empty, or the rest of the dotted path. */
  path: string;
  code: DetailCode;
  /** Sentence without its subject: "must be an integer". */
  says: string;
  /** The value as sent, which the message quotes unless it may be a secret (`shownValue`). Absent: `says` suffices. */
  given?: unknown;
  /** What the value looks like, or its place in a list; at the end of the sentence. */
  remark?: string;
}

/**
 * A conversion returns this instead of a value if it fails. Every parameter has the rule that its value is not one of
 * these.
 */
export class ParamProblem {
  constructor(readonly faults: readonly ParamFault[]) {}

  static of(code: DetailCode, says: string): ParamProblem {
    return new ParamProblem([{ path: '', code, says }]);
  }

  /** The same problem of a value; messages quote it if it is a text or a number. */
  about(raw: unknown): ParamProblem {
    if (typeof raw !== 'string' && typeof raw !== 'number') return this;
    return new ParamProblem(this.faults.map((fault) => (fault.path === '' ? { given: raw, ...fault } : fault)));
  }
}

/** The part of JSON Schema that describes parameters. */
export interface ParamSchema {
  type?: 'integer' | 'number' | 'string' | 'boolean' | 'array' | 'object';
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  enum?: (string | number)[];
  anyOf?: ParamSchema[];
  items?: ParamSchema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, ParamSchema>;
  required?: string[];
  default?: unknown;
  nullable?: boolean;
  description?: string;
  example?: unknown;
}

/** A type of parameter: how its wire formats become a value, and how it is documented. */
export interface ParamKind<T> {
  schema: () => ParamSchema;
  /** `raw` is a string (query, form, JSON), or any other JSON value; never undefined or null. */
  convert: (raw: unknown, context: ParamContext) => T | ParamProblem;
  /** Meaning of an empty string or null on a write if the parameter is not nullable. Absent: `required`. */
  cleared?: T;
  /** Lists may be sent as repeated names and `name[]`; members of objects may be sent as dotted names. */
  shape?: 'list' | 'object' | 'list or object';
}

export interface ParamOptions<T> {
  /** Sentence for the API description. */
  description?: string;
  example?: unknown;
  required?: boolean;
  /** Value when the parameter is omitted. */
  default?: T;
  /** May be cleared with null or an empty string. */
  nullable?: boolean;
  /** Refused in the query string, where logs and browser histories would keep it. */
  bodyOnly?: boolean;
  /** Its value gives access to something, so logs and messages hide it, like `bodyOnly` parameters. */
  isSecret?: boolean;
}

/** Ids are 32-bit integers in the database, which refuses larger ones. */
export const MAX_ROW_ID = 2_147_483_647;
