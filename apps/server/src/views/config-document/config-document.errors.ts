import { AppError, ValidationFailedError } from '../../common/errors/app-error.js';
import { type DocumentProblem, type ReadObject } from './config-document.types.js';
import { lineOf } from './document-lines.js';

/** Maximum number of problems in an answer. */
export const MAX_PROBLEMS = 100;

const sayLine = (line: number, message: string): string => `line ${String(line)}: ${message}`;

export class ConfigDocumentError extends ValidationFailedError {
  constructor(problems: readonly DocumentProblem[]) {
    const named = problems.slice(0, MAX_PROBLEMS);
    super(
      named.map(({ line, code, message }) => ({ field: 'document', code, message: sayLine(line, message) })),
      ({ message }) => message,
    );
  }
}

/**
 * An object that is rejected when a document is applied, with its line, or the line of the member that a detail names.
 */
export class ConfigRefusedError extends AppError {
  constructor(read: ReadObject, cause: AppError) {
    const details = cause.details.map((detail) => ({
      field: 'document',
      code: detail.code,
      message: sayLine(lineOf(read, detail.field), detail.message),
    }));
    super(cause.code, sayLine(read.line, cause.message), details);
  }
}
