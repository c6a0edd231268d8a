import { ConfigDocumentError } from './config-document.errors.js';
import { lineOf } from './config-document.types.js';
import { LONGEST_DOCUMENT, readDocument } from './read-document.js';

/** Messages of what is wrong, with their lines; empty when nothing is. */
const problemsOf = (text: string): string[] =>
  new ConfigDocumentError(readDocument(text).problems).details.map(({ message }) => message);

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

describe('a document', () => {
  it('has no key twice in one map, on whatever level, and says where', () => {
    expect(problemsOf('kind: a\nkind: b')).toEqual(['line 2: Map keys must be unique']);
    expect(problemsOf('kind: a\nx:\n  y: 1\n  z: 2\n  y: 3')).toEqual(['line 5: Map keys must be unique']);
    expect(problemsOf('kind: a\nx: { y: 1, y: 2 }')).toEqual(['line 2: Map keys must be unique']);
    expect(problemsOf('- kind: a\n- kind: a')).toEqual([]);
  });

  it('may share lines by an anchor, which the newest before the alias is', () => {
    const [first, second, third] = readDocument(
      '- kind: a\n  chips: &c [one]\n- kind: b\n  chips: *c\n  other: &c [two]\n- kind: c\n  chips: *c',
    ).objects;
    expect([first, second, third].map((read) => read!.fields.chips)).toEqual([['one'], ['one'], ['two']]);
  });

  it('has no alias without its anchor, and no anchors of another document', () => {
    const message = expect.stringMatching(/too many aliases, or one without its anchor/) as string;
    expect(problemsOf('kind: a\nchips: *c')).toEqual([message]);
    expect(problemsOf('kind: a\nchips: &c [x]\n---\nkind: b\nchips: *c')).toEqual([message]);
  });

  it('knows the line of each member, also once it has come from another thread', () => {
    const { objects } = structuredClone(readDocument('\n- kind: a\n  x:\n    y: 1\n  z: 2\n- kind: b\n  7: 1'));
    const [first, second] = objects;
    expect(['kind', 'x', 'x.y', 'z', 'nothing'].map((path) => lineOf(first!, path))).toEqual([2, 3, 3, 5, 2]);
    expect([lineOf(second!, '7'), second!.fields]).toEqual([7, { 7: 1 }]);
  });

  it('is quoted in a message to a bounded length', () => {
    const [message = ''] = problemsOf(`kind: a\n}${'x'.repeat(10_000)}`);
    expect(message).toMatch(/^line 2: /);
    expect(message.length).toBeLessThan(300);
  });

  // Each of these took minutes of a careless reader, which compares everything with everything.
  it.each([
    ['keys of a block', () => `kind: a\n${lines(60_000, (i) => `k${String(i)}:`)}`, 0],
    ['keys of a flow', () => `kind: a\nx: {${lines(60_000, (i) => `k${String(i)}`).replaceAll('\n', ',')}}`, 0],
    ['the same key', () => `kind: a\n${lines(100_000, () => 'k:')}`, 20],
    ['anchors and aliases', () => `kind: a\nx:\n${lines(18_000, (i) => ` - &a${String(i)} 1\n - *a${String(i)}`)}`, 1],
    ['aliases of many objects', () => `- &a { kind: a }\n${lines(60_000, () => '- *a')}`, 1],
    ['objects that share a long list', () => `- &a [${'1,'.repeat(200_000)}1]\n${lines(900, () => '- { x: *a }')}`, 1],
    ['documents', () => lines(120_000, () => '---'), 1],
    ['nothing', () => '\n'.repeat(LONGEST_DOCUMENT), 0],
    ['comments', () => lines(200_000, () => '#'), 0],
  ])('of many %s costs no more than its length', (_, make, most) => {
    const text = make();
    expect(text.length).toBeLessThanOrEqual(LONGEST_DOCUMENT + 8);
    const found = problemsOf(text);
    expect(found.length).toBe(most);
  });
});
