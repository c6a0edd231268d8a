import { type ErrorDetail } from '#libs/contracts';
import { ValidationFailedError } from '../errors/app-error.js';

/**
 * The parameters of a call that is not judged to the end: its service holds them against what is stored, and reports what
 * it finds together with what is wrong in the request itself. The parameters cannot be had without asking.
 */
export class JudgedParams<T extends object> {
  /**
   * @param sound the parameters without those that break a rule of their own
   * @param problems found so far
   */
  constructor(
    private readonly params: T,
    readonly sound: Partial<T>,
    private readonly problems: readonly ErrorDetail[],
  ) {}

  /** Whether a parameter was sent and breaks a rule of its own. */
  isFaulty(name: keyof T): boolean {
    return this.sound[name] === undefined && this.params[name] !== undefined;
  }

  /** The parameters, once all is well. @throws ValidationFailedError with these problems and those found before */
  requireSound(further: readonly ErrorDetail[] = []): T {
    const problems = [...this.problems, ...further];
    if (problems.length > 0) throw new ValidationFailedError(problems);
    return this.params;
  }
}
