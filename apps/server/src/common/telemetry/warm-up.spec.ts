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

  it('delays readiness until all of its work is done', async () => {
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

  it('logs a failure, and becomes ready nonetheless', async () => {
    warmUp.register('oven', () => Promise.reject(new Error('no gas')));
    await warmUp.run();
    expect(await check()).toEqual([{ ok: true, message: null }]);
    expect(warnings).toEqual([expect.stringMatching(/oven.*no gas/)]);
  });

  it('becomes ready after its timeout', async () => {
    warmUp.register('oven', () => new Promise(() => undefined));
    await warmUp.run(1);
    expect(await check()).toEqual([{ ok: true, message: null }]);
    expect(warnings).toEqual([expect.stringContaining('oven')]);
  });

  it('rejects a name that is registered already', () => {
    warmUp.register('oven', () => Promise.resolve());
    expect(() => warmUp.register('oven', () => Promise.resolve())).toThrow(/twice/);
  });
});
