import { jest } from '@jest/globals';
import { YAMLMap } from 'yaml';
import { ConfigDocumentError } from './config-document.errors.js';
import { lineOf } from './document-lines.js';
import { LONGEST_DOCUMENT, readDocument } from './read-document.js';

/** Messages of all problems, with their lines. */
const problemsOf = (text: string): string[] =>
  new ConfigDocumentError(readDocument(text).problems).details.map(({ message }) => message);

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

describe('readDocument', () => {
  it('rejects a key that occurs twice in one map at any level, with its line', () => {
    expect(problemsOf('kind: a\nkind: b')).toEqual(['line 2: Map keys must be unique']);
    expect(problemsOf('kind: a\nx:\n  y: 1\n  z: 2\n  y: 3')).toEqual(['line 5: Map keys must be unique']);
    expect(problemsOf('kind: a\nx: { y: 1, y: 2 }')).toEqual(['line 2: Map keys must be unique']);
    expect(problemsOf('- kind: a\n- kind: a')).toEqual([]);
  });

  it('rejects keys that are lists, objects or aliases, without building them', () => {
    const toJs = jest.spyOn(YAMLMap.prototype, 'toJSON');
    for (const key of ['? {a: {b: c}}\n: 1', '? - a\n: 1', '[a, b]: 1', '{a: b}: 1', 'x: {[a]: b}', 'x: [{a: b}: c]']) {
      expect(problemsOf(`kind: a\n${key}`)).toEqual(['line 2: a key must be a string, not a list, object or alias']);
    }
    expect(problemsOf('kind: &k a\n*k : 1')).toEqual(['line 2: a key must be a string, not a list, object or alias']);
    expect(toJs).not.toHaveBeenCalled();
    toJs.mockRestore();
    expect(readDocument('? kind\n: a\n? |\n  long\n: 1\n"x y": 2').objects[0]!.fields).toEqual({
      'long\n': 1,
      'x y': 2,
    });
  });

  it('accepts any number of YAML indicators in texts and comments', () => {
    const ruler = '- '.repeat(40).trim();
    const text = `# ${ruler}\nkind: a\nx: "${'a: '.repeat(40)}"\ny: "[[[[[["\nz: [${'{a: 1}, '.repeat(40)}]`;
    const { objects, problems } = readDocument(text);
    expect(problems).toEqual([]);
    expect(objects[0]!.fields.x).toBe('a: '.repeat(40));
  });

  it('resolves an alias to the latest anchor before it', () => {
    const [first, second, third] = readDocument(
      '- kind: a\n  chips: &c [one]\n- kind: b\n  chips: *c\n  other: &c [two]\n- kind: c\n  chips: *c',
    ).objects;
    expect([first, second, third].map((read) => read!.fields.chips)).toEqual([['one'], ['one'], ['two']]);
  });

  it('rejects an alias without an anchor, or with an anchor in another document', () => {
    const message = expect.stringMatching(/too many aliases, or one without its anchor/) as string;
    expect(problemsOf('kind: a\nchips: *c')).toEqual([message]);
    expect(problemsOf('kind: a\nchips: &c [x]\n---\nkind: b\nchips: *c')).toEqual([message]);
  });

  it('records the line of each member, also after a structured clone', () => {
    const { objects } = structuredClone(readDocument('\n- kind: a\n  x:\n    y: 1\n  z: 2\n- kind: b\n  7: 1'));
    const [first, second] = objects;
    expect(['kind', 'x', 'x.y', 'z', 'nothing'].map((path) => lineOf(first!, path))).toEqual([2, 3, 3, 5, 2]);
    expect([lineOf(second!, '7'), second!.fields]).toEqual([7, { 7: 1 }]);
  });

  it('counts expanded aliases before it builds any value', () => {
    const toJs = jest.spyOn(YAMLMap.prototype, 'toJSON');
    // Each list is ten times as long as the one before: a few hundred characters would expand to 10 billion values.
    const growing = lines(
      10,
      (i) =>
        `  l${String(i)}: &l${String(i)} [${Array(10)
          .fill(i === 0 ? 1 : `*l${String(i - 1)}`)
          .join()}]`,
    );
    expect(problemsOf(`kind: a\nx:\n${growing}`)).toEqual([expect.stringMatching(/at most 150,000 values/)]);
    expect(problemsOf('kind: a\nx: &x [*x]')).toEqual([expect.stringMatching(/at most 150,000 values/)]);
    const shared = `- &a { kind: a, x: [${'1,'.repeat(1000)}1] }\n`;
    toJs.mockClear();
    expect(problemsOf(`${shared}${lines(200, () => '- { kind: b, x: *a }')}`)).toHaveLength(1);
    expect(toJs).not.toHaveBeenCalled();
    expect(problemsOf(`${shared}${lines(100, () => '- { kind: b, x: *a }')}`)).toEqual([]);
    toJs.mockRestore();
  });

  it('rejects too many values without parsing, with the line where the limit is exceeded', () => {
    const [message = ''] = problemsOf(`kind: a\nx:\n${lines(120_000, () => '- 1')}`);
    // Each line has two tokens, plus those of the first two lines.
    expect(message).toMatch(/^line 75000: a document has at most 150,000 values/);
  });

  it('reads the largest number of objects with their usual members', () => {
    const watcher = (i: number) =>
      `- kind: watcher\n  name: watcher ${String(i)}\n  chips: [web-*, db]\n  min_severity: 3\n  budget_per_day: 5\n  channels: [email, slack]`;
    const { objects, problems } = readDocument(lines(2000, watcher));
    expect([objects.length, problems]).toEqual([2000, []]);
  });

  it('quotes the document in a message only to a bounded length', () => {
    const [message = ''] = problemsOf(`kind: a\n}${'x'.repeat(10_000)}`);
    expect(message).toMatch(/^line 2: /);
    expect(message.length).toBeLessThan(300);
  });

  // A reader that compares all pairs would take minutes for each of these.
  it.each([
    ['keys of a block', () => `kind: a\n${lines(60_000, (i) => `k${String(i)}:`)}`, 0],
    ['keys of a flow', () => `kind: a\nx: {${lines(60_000, (i) => `k${String(i)}`).replaceAll('\n', ',')}}`, 0],
    ['equal keys', () => `kind: a\n${lines(70_000, () => 'k:')}`, 20],
    ['anchors and aliases', () => `kind: a\nx:\n${lines(18_000, (i) => ` - &a${String(i)} 1\n - *a${String(i)}`)}`, 1],
    ['aliases of many objects', () => `- &a { kind: a }\n${lines(60_000, () => '- *a')}`, 1],
    ['objects that share a long list', () => `- &a [${'1,'.repeat(200_000)}1]\n${lines(900, () => '- { x: *a }')}`, 1],
    ['documents', () => lines(120_000, () => '---'), 1],
    ['values of a flow', () => `kind: a\nx: [${'1,'.repeat(240_000)}1]`, 1],
    ['values of a block', () => `kind: a\nx:\n${lines(120_000, () => '- 1')}`, 1],
    ['empty values', () => `kind: a\nx: [${','.repeat(490_000)}1]`, 1],
    ['empty maps', () => `kind: a\nx: [${'{},'.repeat(160_000)}1]`, 1],
    ['items without a value', () => lines(160_000, () => '-'), 1],
    ['anchors without a value', () => `kind: a\nx: [${'&a,'.repeat(160_000)}1]`, 1],
    ['tags without a value', () => `kind: a\nx: [${'!a ,'.repeat(120_000)}1]`, 1],
    ['keys without a value', () => lines(160_000, () => '?'), 1],
    ['objects that share a list', () => `- &a [${'1,'.repeat(1990)}1]\n${lines(990, () => '- { kind: a, x: *a }')}`, 1],
    [
      'documents that share a list each',
      () =>
        lines(50, () => `---\n- &a { kind: b, x: [${'1,'.repeat(30)}1] }\n${lines(18, () => '- { kind: a, x: *a }')}`),
      0,
    ],
    // A few kilobytes of these once blocked the thread forever.
    ['keys within keys', () => '? '.repeat(2000), 1],
    ['keys within keys, to the end', () => '? '.repeat(LONGEST_DOCUMENT / 2), 1],
    ['keys within items', () => `${'- ? '.repeat(300)}a`, 1],
    ['keys within keys of a flow', () => `kind: a\nx: [${'? '.repeat(200_000)}]`, 1],
    ['keys within a value', () => `kind: a\nx: ${'? '.repeat(200_000)}`, 1],
    ['values within values', () => 'a: '.repeat(160_000), 1],
    ['values without keys', () => ': '.repeat(2000), 1],
    ['values within values of a flow', () => `kind: a\nx: [${'a:\n'.repeat(30_000)}]`, 1],
    ['tags of keys', () => '!!map ? '.repeat(60_000), 1],
    ['tags without blanks', () => '!<x>'.repeat(120_000), 1],
    ['anchors of keys', () => '&a ? '.repeat(90_000), 1],
    ['keys one below the other', () => lines(190, (i) => `${' '.repeat(i)}? `), 1],
    ['values one below the other', () => lines(190, (i) => `${' '.repeat(i)}a:`), 1],
    ['items one below the other', () => lines(190, (i) => `${' '.repeat(i)}-`), 1],
    ['brackets that close nothing', () => `kind: a\n${']'.repeat(400_000)}`, 1],
    ['items that are wrong', () => lines(100_000, () => '- }'), 1],
    ['empty lines', () => '\n'.repeat(LONGEST_DOCUMENT), 0],
    ['comments', () => lines(200_000, () => '#'), 0],
  ])('processes many %s in time proportional to the length', (_, make, most) => {
    const text = make();
    expect(text.length).toBeLessThanOrEqual(LONGEST_DOCUMENT + 8);
    const found = problemsOf(text);
    expect(found.length).toBe(most);
  });
});
