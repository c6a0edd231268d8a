import { type OnApplicationShutdown } from '@nestjs/common';
import { type Request, type RequestHandler } from 'express';
import passport from 'passport';

/** Result of `validate` of a strategy: the caller and how it was found, or why there is none. */
export type Validation<User extends object, Info = undefined, Fault extends string = never> =
  [user: User, info: Info] | [user: false, fault?: Fault];

type Verify = (
  request: Request,
  options: object,
  done: (error: unknown, user?: object | false | null, info?: object | string) => void,
) => void;

let count = 0;

/**
 * Base of all strategies, for the mixin of @nestjs/passport. The mixin calls `validate(request, options)` of the
 * strategy, which answers a Validation, or throws if the lookup fails. Passport has one register for the process, and a
 * later strategy replaces an earlier one of the same name. Each instance therefore has a unique name, so that two
 * applications in one process never use each other's directory.
 */
export class CredentialStrategy extends passport.Strategy implements OnApplicationShutdown {
  override readonly name: string;

  constructor(
    kind: string,
    private readonly verify: Verify,
  ) {
    super();
    this.name = `${kind}-${String(++count)}`;
  }

  /** Passport calls this on a new object for each request: `this.success`, `this.fail` belong to that request only. */
  override authenticate(request: Request, options: object = {}): void {
    this.verify(request, options, (error, user, info) => {
      if (error !== null && error !== undefined) this.error(error);
      else if (user) this.success(user, info as object);
      else this.fail(info);
    });
  }

  onApplicationShutdown(): void {
    passport.unuse(this.name);
  }
}

/**
 * Runs one strategy outside AuthGuard, for routes that must check parameters or headers first. Reads and writes no
 * session of passport.
 * @throws the errors of `validate`
 */
export function authenticateBy<Result extends Validation<object, unknown, string>>(
  strategy: { name: string; validate: (...given: never[]) => Promise<Result> },
  request: Request,
  options: object = {},
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const run = passport.authenticate(
      strategy.name,
      { ...options, session: false },
      (error: Error | null | undefined, user: unknown, info: unknown) => {
        if (error) reject(error);
        else resolve([user, info] as Result);
      },
    ) as RequestHandler;
    const undecided = (error: unknown): void => {
      reject(error instanceof Error ? error : new Error(`${strategy.name} did not decide`));
    };
    void run(request, request.res!, undecided);
  });
}
