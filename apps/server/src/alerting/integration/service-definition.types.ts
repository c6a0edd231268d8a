import { type ErrorDetail } from '#libs/contracts';
import { type Fields, type FieldValue, type ValuesOf } from './service-fields.types.js';

export const SERVICE_CATEGORIES = ['alert', 'ingest', 'dashboard', 'billing'] as const;
export type ServiceCategory = (typeof SERVICE_CATEGORIES)[number];

/** Addresses of this installation for a reader of instructions. */
export interface GuideContext {
  /** Public address of the product, without a slash at the end. */
  publicUrl: string;
  /** Base address of the ingest paths. */
  ingestUrl: string;
  apiUrl: string;
  /** `host:port` for lines of Graphite; null if that port is closed. */
  graphiteAddress: string | null;
}

/** Text to be pasted; `YOUR_TOKEN` represents a token with the required permission. */
export interface Snippet {
  title: string;
  /** As in editors: `yaml`, `bash`. */
  language: string;
  code: string;
}

export interface Guide {
  /** Markdown. */
  instructions: string;
  snippets: readonly Snippet[];
}

/** Replaces a token in snippets. */
export const TOKEN_PLACEHOLDER = 'YOUR_TOKEN';

/** Stored values of a service by the name of the field, with secrets in clear. Fields without a value are omitted. */
export type StoredValues = Readonly<Record<string, FieldValue>>;

export interface SettingsChange {
  before: StoredValues;
  /** As requested by the caller. */
  after: StoredValues;
  /** Unix seconds. */
  now: number;
}

/**
 * A service that organisations use with the product. The settings of a service are its `orgFields` and `userFields`;
 * forms, checks, storage and the API description are derived from them.
 */
export interface ServiceDefinition<Id extends string = string, F extends Fields = Fields> {
  readonly id: Id;
  readonly name: string;
  /** The provider of the service or protocol. */
  readonly provider: string;
  readonly category: ServiceCategory;
  /** A sentence for people. */
  readonly description: string;
  readonly orgFields: F;
  readonly userFields: Fields;
  /** True if it is set up but must not be used. */
  isSwitchedOff?(values: StoredValues): boolean;
  /** Contradictions between values, after a change is applied. */
  problems?(values: StoredValues): readonly ErrorDetail[];
  /** Further names that are stored sealed, apart from the fields. */
  readonly ownSecrets?: readonly string[];
  /** Secrets that it generates if they are empty. */
  readonly generatedSecrets?: readonly string[];
  /**
   * Additional effects of a change of settings: values to store, and names of secrets that are returned in clear this
   * time.
   */
  complement?(change: SettingsChange): { values: StoredValues; shown: readonly string[] };
  /** How to set it up. */
  guide(context: GuideContext): Guide;
}

export type SettingsOf<D> = D extends ServiceDefinition<string, infer F> ? ValuesOf<F> : never;
