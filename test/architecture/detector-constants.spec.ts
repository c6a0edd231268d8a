import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { changed, constantsIn, withValue } from '../../bench/verdicts/constants.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const SERIES = 'libs/detection/src/series';

describe('the constants of the detector', () => {
  const constants = constantsIn(resolve(ROOT, SERIES));

  it('are found with values and comments, without units and codes', () => {
    expect(constants.length).toBeGreaterThan(100);
    expect(constants.filter(({ value }) => !Number.isFinite(value) || value === 0)).toEqual([]);
    expect(constants.filter(({ comment }) => comment !== '').length).toBeGreaterThan(0.9 * constants.length);
    expect(constants.map(({ name }) => name)).not.toContain('DAY_SECONDS');
    expect(constants.map(({ file }) => file)).not.toContain('record/layout.ts');
  });

  it('can be changed in the built files one at a time', () => {
    for (const { file, name, value } of constants) {
      const built = readFileSync(resolve(ROOT, 'dist', SERIES, file.replace(/\.ts$/, '.js')), 'utf8');
      const other = withValue(built, name, changed(value, 1.25));
      expect(other).not.toBe(built);
      expect(other.split('\n')).toHaveLength(built.split('\n').length);
    }
    expect(() => withValue('const A = 1;', 'B', 2)).toThrow('B is not declared once');
  });

  it('stay integers if they are integers, and change by at least one', () => {
    expect([changed(3, 1.25), changed(3, 0.75), changed(1, 1.25), changed(20, 0.75)]).toEqual([4, 2, 2, 15]);
    expect(changed(0.5, 1.25)).toBe(0.625);
  });
});
