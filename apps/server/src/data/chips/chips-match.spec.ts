import fc from 'fast-check';
import { BadChipsError, type Chip, matchesChips, parseChips } from './chips.js';
import { compileChips, FoldedTarget } from './chips-match.js';

const METRIC = {
  name: 'HTTP_requests_total{job="api",path="a,b"}',
  labels: { job: 'API', path: 'a,b' },
  source: 'prometheus',
  type: 'counter',
  state: 'active',
};

const text = fc.string({ unit: fc.constantFrom(...'ab:,*"\\-@_ .9éÉß'.split('')), minLength: 1, maxLength: 10 });
const chipText = fc
  .tuple(fc.constantFrom('', '-'), fc.constantFrom('', 'a:', 'b:', '@name:', '@source:', '@type:', '@state:'), text)
  .map((parts) => parts.join(''));

describe('compiled chips', () => {
  it('select the same metrics as matchesChips', () => {
    fc.assert(
      fc.property(
        fc.array(chipText, { minLength: 1, maxLength: 3 }),
        fc.array(text, { minLength: 6, maxLength: 6 }),
        (list, texts) => {
          let chips: Chip[];
          try {
            chips = parseChips(list);
          } catch (error) {
            expect(error).toBeInstanceOf(BadChipsError);
            return;
          }
          const [name, a, b, source, type, state] = texts as [string, string, string, string, string, string];
          const metric = { name, labels: { a, b }, source, type, state };
          expect(compileChips(chips)(new FoldedTarget(metric))).toBe(matchesChips(chips, metric));
        },
      ),
      { seed: 21, numRuns: 3000 },
    );
  });

  it.each([
    ['requests,job:api', true],
    ['JOB:api,Path:"a,b"', true],
    ['-JOB:api', false],
    ['-requests', false],
    ['@source:prom*', true],
    ['__proto__:*', false],
    ['-toString:*', true],
  ])('match %s: %s', (list, expected) => {
    expect(compileChips(parseChips(list))(new FoldedTarget(METRIC))).toBe(expected);
  });

  it.each(['@state:active', '-@state:stale', '@source:*'])('never match unknown members: %s', (list) => {
    const { name, labels } = METRIC;
    expect(compileChips(parseChips(list))(new FoldedTarget({ name, labels }))).toBe(false);
    expect(compileChips(parseChips(list))(new FoldedTarget(METRIC))).toBe(true);
  });

  it('match many metrics against many lists', () => {
    const matchers = Array.from({ length: 100 }, (_, i) => compileChips(parseChips(`web-${String(i)}.*,-idle`)));
    const found = Array.from(
      { length: 1000 },
      (_, i) => new FoldedTarget({ name: `web-${String(i)}.cpu`, labels: {} }),
    ).flatMap((target) => matchers.filter((matches) => matches(target)));
    expect(found).toHaveLength(100);
  });
});
