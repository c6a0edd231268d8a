import { ApiProperty } from '@nestjs/swagger';
import { type ErrorDetail } from '#libs/contracts';
import { DAY } from '../time.js';
import { ValidationFailedError } from '../errors/app-error.js';

export const DEFAULT_WINDOW_SECONDS = DAY;

/** A time window in Unix seconds, both bounds inclusive. */
export interface Window {
  from: number;
  until: number;
}

export interface WindowInput {
  from?: number;
  until?: number;
}

/**
 * Sets omitted members, and reduces a future end to now and a future start to the second before: the clock of a client
 * may be ahead. `now` in Unix seconds.
 */
function completeWindow({ from, until }: WindowInput, now: number): Window {
  const present = Math.floor(now);
  const end = Math.min(until ?? Infinity, present);
  return { from: Math.min(from ?? end - DEFAULT_WINDOW_SECONDS, present - 1), until: end };
}

/** The problem of bounds in the wrong order; none for a valid window. `now` in Unix seconds. */
export function orderProblems(input: WindowInput, now: number): ErrorDetail[] {
  const window = completeWindow(input, now);
  const isOrdered = (input.from ?? -Infinity) < (input.until ?? Infinity);
  if (isOrdered && window.from < window.until) return [];
  const { from = window.from, until = window.until } = input;
  const message = `until must be later than from (${String(from)}), got ${String(until)}`;
  return [{ field: 'until', code: 'from_not_before_until', message }];
}

/** The applied window, as returned in answers. */
export class WindowDto {
  @ApiProperty({ type: 'integer', format: 'int64' })
  from!: number;

  @ApiProperty({ type: 'integer', format: 'int64' })
  until!: number;
}

/**
 * The window of a call. `retention2Seconds`: retention of the organisation, which no window may exceed.
 * @throws ValidationFailedError `from_not_before_until`, `window_too_long`
 */
export function resolveWindow(input: WindowInput, now: number, retention2Seconds: number): Window {
  const window = completeWindow(input, now);
  const problems = orderProblems(input, now);
  if (window.until - window.from > retention2Seconds) {
    problems.push({
      field: 'from',
      code: 'window_too_long',
      message: `from must be at most ${String(retention2Seconds)} seconds before until, got ${String(window.until - window.from)}`,
    });
  }
  if (problems.length > 0) throw new ValidationFailedError(problems);
  return window;
}
