import { type ErrorDetail } from '#libs/contracts';
import { AppError, ValidationFailedError } from '../../common/errors/app-error.js';

/** Something is wrong at a line of the document. */
export interface DocumentProblem {
  /** From 1. */
  line: number;
  code: ErrorDetail['code'];
  message: string;
}

const sayLine = (line: number, message: string): string => `line ${String(line)}: ${message}`;

export class ConfigDocumentError extends ValidationFailedError {
  constructor(problems: readonly DocumentProblem[]) {
    super(problems.map(({ line, code, message }) => ({ field: 'document', code, message: sayLine(line, message) })));
  }
}

/** What is refused when a document is applied, with its line. */
export class ConfigRefusedError extends AppError {
  constructor(line: number, cause: AppError) {
    const details = cause.details.map((detail) => ({
      field: 'document',
      code: detail.code,
      message: sayLine(line, detail.message),
    }));
    super(cause.code, sayLine(line, cause.message), details);
  }
}
