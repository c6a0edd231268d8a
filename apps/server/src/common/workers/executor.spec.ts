import { createExecutor, InlineExecutor } from './executor.js';

const NOWHERE = new URL('./not-compiled.js', import.meta.url);

describe('an executor', () => {
  it('runs in the calling thread when its entry is not compiled', async () => {
    const handler = () => ({ handle: (number: number) => number * 2 });
    const executor = createExecutor({ entry: NOWHERE, name: 'doubler', handler });
    expect(executor).toBeInstanceOf(InlineExecutor);
    expect(await Promise.all([executor.call(1), executor.call(2)])).toEqual([2, 4]);
    await executor.close();
  });

  it('rejects with the error of the handler, and closes the handler', async () => {
    let isOpen = true;
    const executor = new InlineExecutor({
      handle: (): number => {
        throw new RangeError('too small');
      },
      close: async () => {
        isOpen = false;
      },
    });
    await expect(executor.call(1)).rejects.toThrow('too small');
    await executor.close();
    expect(isOpen).toBe(false);
  });
});
