import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import { ReadinessRegistry } from './readiness.js';
import { WarmUp } from './warm-up.js';

describe('the warm-up', () => {
  let readiness: ReadinessRegistry;
  let warmUp: WarmUp;
  let warnings: string[];

  beforeEach(() => {
    readiness = new ReadinessRegistry();
    warmUp = new WarmUp(readiness);
    warnings = [];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((text: unknown) => void warnings.push(String(text)));
  });
  afterEach(() => jest.restoreAllMocks());

  const check = async () => (await readiness.run()).map(({ ok, message }) => ({ ok, message }));

  it('keeps the process from being ready until all of it is done', async () => {
    let finish: () => void = () => undefined;
    warmUp.register('kettle', () => Promise.resolve());
    warmUp.register('oven', () => new Promise<void>((resolve) => (finish = resolve)));
    const running = warmUp.run();
    expect(await check()).toEqual([{ ok: false, message: expect.stringContaining('oven') }]);
    finish();
    await running;
    expect(await check()).toEqual([{ ok: true, message: null }]);
    expect(warnings).toEqual([]);
  });

  it('says what failed, and is ready all the same', async () => {
    warmUp.register('oven', () => Promise.reject(new Error('no gas')));
    await warmUp.run();
    expect(await check()).toEqual([{ ok: true, message: null }]);
    expect(warnings).toEqual([expect.stringMatching(/oven.*no gas/)]);
  });

  it('does not wait for ever', async () => {
    warmUp.register('oven', () => new Promise(() => undefined));
    await warmUp.run(1);
    expect(await check()).toEqual([{ ok: true, message: null }]);
    expect(warnings).toEqual([expect.stringContaining('oven')]);
  });

  it('refuses a name that is taken', () => {
    warmUp.register('oven', () => Promise.resolve());
    expect(() => warmUp.register('oven', () => Promise.resolve())).toThrow(/twice/);
  });
});
