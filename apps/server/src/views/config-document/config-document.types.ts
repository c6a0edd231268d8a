import { type ErrorDetail } from '#libs/contracts';
import { type ConfigFields } from '../../platform/config-kind/config-kind.types.js';
import { type RegisteredKind } from '../../platform/config-kind/config-kinds.service.js';

/** Something is wrong at a line of the document. */
export interface DocumentProblem {
  /** From 1. */
  line: number;
  code: ErrorDetail['code'];
  message: string;
}

/** One object of a document as it was read. */
export interface ReadObject {
  kind: string;
  /** Members except `kind`. */
  fields: ConfigFields;
  /** Line on which it begins, from 1. */
  line: number;
  /** Lines of its members, from 1. */
  lines: ReadonlyMap<string, number>;
}

/**
 * The result of reading a document. It moves between threads, so it consists of plain objects. With problems there are
 * no objects.
 */
export interface DocumentReading {
  objects: readonly ReadObject[];
  problems: readonly DocumentProblem[];
}

/** A secret that is to stay as it is stored. */
export interface StandIn {
  member: string;
  /** It is an error when nothing is stored. */
  isNeeded: boolean;
}

/** One object of a document, sound by itself. */
export interface WantedObject {
  read: ReadObject;
  kind: RegisteredKind;
  params: object;
  standIns: readonly StandIn[];
}
