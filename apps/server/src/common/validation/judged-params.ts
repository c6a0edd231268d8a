import { type ErrorDetail } from '#libs/contracts';
import { ValidationFailedError } from '../errors/app-error.js';

/**
 * The parameters of a call whose validation is not complete: its service compares them with stored data, and reports
 * those problems together with the problems of the request itself. The parameters can only be read through a check.
 */
export class JudgedParams<T extends object> {
  /**
   * @param sound the valid parameters
   * @param problems found so far
   */
  constructor(
    private readonly params: T,
    readonly sound: Partial<T>,
    private readonly problems: readonly ErrorDetail[],
  ) {}

  /** True if a parameter was sent and is invalid. */
  isFaulty(name: keyof T): boolean {
    return this.sound[name] === undefined && this.params[name] !== undefined;
  }

  /** The parameters if all are valid. @throws ValidationFailedError with these problems and those found before */
  requireSound(further: readonly ErrorDetail[] = []): T {
    const problems = [...this.problems, ...further];
    if (problems.length > 0) throw new ValidationFailedError(problems);
    return this.params;
  }
}
