import { type ErrorDetail } from '#libs/contracts';
import { type ConfigFields } from '../../platform/config-kind/config-kind.types.js';
import { type RegisteredKind } from '../../platform/config-kind/config-kinds.service.js';

/** A problem at a line of the document. */
export interface DocumentProblem {
  /** From 1. */
  line: number;
  code: ErrorDetail['code'];
  message: string;
}

/** One object of a document, before validation. */
export interface ReadObject {
  kind: string;
  /** Members except `kind`. */
  fields: ConfigFields;
  /** Its first line, from 1. */
  line: number;
  /** Lines of its members, from 1. */
  lines: ReadonlyMap<string, number>;
}

/**
 * The result of reading a document. It is passed between threads, so it consists of plain objects. If there are
 * problems, there are no objects.
 */
export interface DocumentReading {
  objects: readonly ReadObject[];
  problems: readonly DocumentProblem[];
}

/** A secret that keeps its stored value. */
export interface StandIn {
  member: string;
  /** True if it is an error when no value is stored. */
  isNeeded: boolean;
}

/** One object of a document, valid by itself. */
export interface WantedObject {
  read: ReadObject;
  kind: RegisteredKind;
  params: object;
  standIns: readonly StandIn[];
}
