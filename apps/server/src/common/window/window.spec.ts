import { ValidationFailedError } from '../errors/app-error.js';
import { readParameters } from '../validation/params.pipe.js';
import { resolveWindow, type WindowInput } from './window.js';
import { WindowPageParams, WindowParams } from './window.params.js';

const NOW = 1_760_000_000.25;
const TODAY = 1_760_000_000;
const DAY = 86_400;
const KEPT = 730 * DAY;

function problems(act: () => unknown): string[] {
  try {
    act();
    return [];
  } catch (error) {
    if (!(error instanceof ValidationFailedError)) throw error;
    return error.details.map(({ field, code }) => `${field} ${code}`);
  }
}

const readQuery = (query: WindowInput): WindowParams =>
  readParameters(
    { type: WindowParams, query, body: undefined, form: false },
    { now: NOW, write: false, refuseUnknown: false },
  );

describe('a window', () => {
  it.each<[WindowInput, number, number]>([
    [{}, TODAY - DAY, TODAY],
    [{ from: TODAY - 10 }, TODAY - 10, TODAY],
    [{ until: TODAY - 10 }, TODAY - 10 - DAY, TODAY - 10],
    [{ from: TODAY - 20, until: TODAY - 10 }, TODAY - 20, TODAY - 10],
    [{ from: TODAY - 20, until: TODAY + 1e6 }, TODAY - 20, TODAY],
    [{ until: TODAY + 1e6 }, TODAY - DAY, TODAY],
    [{ from: TODAY - KEPT, until: TODAY }, TODAY - KEPT, TODAY],
    // The clock of a client may be ahead.
    [{ from: TODAY }, TODAY - 1, TODAY],
    [{ from: TODAY + 60 }, TODAY - 1, TODAY],
    [{ from: TODAY + 30, until: TODAY + 90 }, TODAY - 1, TODAY],
  ])('is resolved from %j', (input, from, until) => {
    expect(resolveWindow(readQuery(input), NOW, KEPT)).toEqual({ from, until });
  });

  it.each<[WindowInput, string[]]>([
    [{ from: TODAY - 10, until: TODAY - 10 }, ['until from_not_before_until']],
    [{ from: TODAY - 10, until: TODAY - 20 }, ['until from_not_before_until']],
    [{ from: TODAY, until: TODAY }, ['until from_not_before_until']],
    [{ from: TODAY + 30, until: TODAY + 20 }, ['until from_not_before_until']],
    [{ from: TODAY + 30, until: TODAY }, ['until from_not_before_until']],
    [{ from: TODAY - KEPT - 1 }, ['from window_too_long']],
  ])('given as %j has the problems %j', (input, expected) => {
    expect(problems(() => resolveWindow(input, NOW, KEPT))).toEqual(expected);
  });

  it.each<[WindowInput, string[]]>([
    [{ from: TODAY - 10, until: TODAY - 20 }, ['until from_not_before_until']],
    [{ from: TODAY + 61 }, ['from out_of_range']],
    [{ from: 946_684_799 }, ['from out_of_range']],
    [{ until: 946_684_799 }, ['until out_of_range']],
  ])('given as %j is rejected with the other parameters: %j', (input, expected) => {
    expect(problems(() => readQuery(input))).toEqual(expected);
  });

  it('is read together with limit and offset in WindowPageParams', () => {
    const query = { limit: '5', from: String(TODAY - 5) };
    const read = readParameters(
      { type: WindowPageParams, query, body: undefined, form: false },
      { now: NOW, write: false, refuseUnknown: false },
    );
    expect(read).toEqual({ limit: 5, offset: 0, from: TODAY - 5 });
  });
});
