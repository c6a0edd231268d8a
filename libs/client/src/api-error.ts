/** One thing that is wrong with a request. */
export interface ApiProblem {
  /** The parameter as it was sent; null if it is about the request as a whole. */
  field?: string | null;
  code: string;
  message: string;
}

/** An answer that is not a success, or a missing one (`status` 0, code `unreachable`). */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    message: string,
    /** HTTP status; 0 if there was no answer. */
    readonly status: number,
    /** From the catalogue in the contract: `validation_failed`, `not_found`, … */
    readonly code: string,
    readonly problems: readonly ApiProblem[] = [],
    /** Id by which an operator finds the request; null if there was no answer. */
    readonly requestId: string | null = null,
  ) {
    super(message);
  }

  /** The problem of one parameter, as the text next to its field. */
  problemOf(field: string): string | undefined {
    return this.problems.find((problem) => problem.field === field)?.message;
  }
}
