import { Injectable } from '@nestjs/common';
import { messageOf } from '../errors/message-of.js';

/**
 * Resolves if the part works, with a sentence for operators if there is still something to report; throws with one if
 * it does not work.
 */
export type ReadinessCheck = () => unknown;

export interface ReadinessResult {
  name: string;
  ok: boolean;
  /** The reason of a failure; or, if ok, the current activity, if any. */
  message: string | null;
  duration_seconds: number;
}

const CHECK_TIMEOUT_SECONDS = 2;

/** Conditions for a process to accept requests. Areas register named checks; GET /readyz runs them. */
@Injectable()
export class ReadinessRegistry {
  private readonly checks = new Map<string, ReadinessCheck>();
  private isShuttingDown = false;

  register(name: string, check: ReadinessCheck): void {
    if (this.checks.has(name)) throw new Error(`The readiness check ${name} is registered twice`);
    this.checks.set(name, check);
  }

  /** From now on the process is not ready, so that balancers stop sending requests before it stops. */
  startShutdown(): void {
    this.isShuttingDown = true;
  }

  async run(): Promise<ReadinessResult[]> {
    const results = await Promise.all([...this.checks].map(([name, check]) => runCheck(name, check)));
    if (this.isShuttingDown) {
      results.push({ name: 'shutdown', ok: false, message: 'the process is stopping', duration_seconds: 0 });
    }
    return results;
  }
}

async function runCheck(name: string, check: ReadinessCheck): Promise<ReadinessResult> {
  const started = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${String(CHECK_TIMEOUT_SECONDS)} s`));
    }, CHECK_TIMEOUT_SECONDS * 1000);
  });
  let ok = true;
  let message: string | null = null;
  try {
    const answer: unknown = await Promise.race([Promise.resolve().then(check), timeout]);
    if (typeof answer === 'string') message = answer;
  } catch (error) {
    ok = false;
    message = messageOf(error);
  } finally {
    clearTimeout(timer);
  }
  const duration = Math.round(performance.now() - started) / 1000;
  return { name, ok, message, duration_seconds: duration };
}
