import { type ErrorDetail } from '#libs/contracts';
import { type Fields, type FieldValue, type ValuesOf } from './service-fields.types.js';

export const SERVICE_CATEGORIES = ['alert', 'ingest', 'dashboard', 'billing'] as const;
export type ServiceCategory = (typeof SERVICE_CATEGORIES)[number];

/** Where a reader of instructions finds this installation. */
export interface GuideContext {
  /** Public address of the product, without a slash at the end. */
  publicUrl: string;
  /** Where ingest paths are. */
  ingestUrl: string;
  apiUrl: string;
  /** `host:port` for lines of Graphite; null where that port is closed. */
  graphiteAddress: string | null;
}

/** Something to be pasted; `YOUR_TOKEN` stands for a token with the permission that is needed. */
export interface Snippet {
  title: string;
  /** As editors call it: `yaml`, `bash`. */
  language: string;
  code: string;
}

export interface Guide {
  /** Markdown. */
  instructions: string;
  snippets: readonly Snippet[];
}

/** What stands in snippets in place of a token. */
export const TOKEN_PLACEHOLDER = 'YOUR_TOKEN';

/** What is stored for a service by the name of the field, secrets opened. What is not set is left out. */
export type StoredValues = Readonly<Record<string, FieldValue>>;

export interface SettingsChange {
  before: StoredValues;
  /** As the caller wants it. */
  after: StoredValues;
  /** Unix seconds. */
  now: number;
}

/**
 * A service that organisations use with the product. The settings of a service are its `orgFields` and `userFields`; forms,
 * checks, storage and the API description are made of them.
 */
export interface ServiceDefinition<Id extends string = string, F extends Fields = Fields> {
  readonly id: Id;
  readonly name: string;
  /** Whose service or protocol it is. */
  readonly provider: string;
  readonly category: ServiceCategory;
  /** A sentence for people. */
  readonly description: string;
  readonly orgFields: F;
  readonly userFields: Fields;
  /** Whether it is set up but not to be used. */
  isSwitchedOff?(values: StoredValues): boolean;
  /** What does not go together, once a change is applied. */
  problems?(values: StoredValues): readonly ErrorDetail[];
  /** Names besides the fields that are kept sealed. */
  readonly ownSecrets?: readonly string[];
  /** Secrets that it makes by itself where they are left empty. */
  readonly generatedSecrets?: readonly string[];
  /** What a change of settings brings about besides: values to store, and names of secrets that are answered this once. */
  complement?(change: SettingsChange): { values: StoredValues; shown: readonly string[] };
  /** How to set it up. */
  guide(context: GuideContext): Guide;
}

export type SettingsOf<D> = D extends ServiceDefinition<string, infer F> ? ValuesOf<F> : never;
