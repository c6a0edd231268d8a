import { type ConfigFields } from '../../platform/config-kind/config-kind.types.js';

/** One object of a document as it was read. */
export interface ReadObject {
  kind: string;
  /** Members besides `kind`. */
  fields: ConfigFields;
  /** Line on which it begins, from 1. */
  line: number;
  /** Line of a member, from 1. */
  lineOf(path: string): number;
}
