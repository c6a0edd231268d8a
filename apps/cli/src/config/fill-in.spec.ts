import { parseAllDocuments } from 'yaml';
import { fillIn } from './fill-in.js';

const AWKWARD = `a: "b" 'c' # {d} [e], *f &g !h \\ %i @j \`k`;
const VARIABLES = { AWKWARD, NUMBER: '0123', DOLLARS: 'in ${USD}', LINES: 'a\nb', EMPTY: '' };

/** The parsed documents of a text after filling in. */
function valuesOf(text: string): unknown[] {
  const filled = fillIn(text, VARIABLES);
  expect(filled.problems).toEqual([]);
  expect(filled.text.split('\n')).toHaveLength(text.split('\n').length);
  return parseAllDocuments(filled.text).flatMap((document) => {
    expect(document.errors).toEqual([]);
    return [document.toJS() as unknown];
  });
}

describe('filling in variables', () => {
  it.each([
    ['a plain text', 'x: ${AWKWARD}', AWKWARD],
    ['a part of a plain text', 'x: https://${AWKWARD}/y # why', `https://${AWKWARD}/y`],
    ['double quotes', 'x: "<${AWKWARD}>"', `<${AWKWARD}>`],
    ['single quotes', "x: '<${AWKWARD}>'", `<${AWKWARD}>`],
    ['a block', 'x: |-\n  <${AWKWARD}>', `<${AWKWARD}>`],
    ['a folded block', 'x: >-\n  <${AWKWARD}>', `<${AWKWARD}>`],
    ['a list in brackets', 'x: [${AWKWARD}, b]', [AWKWARD, 'b']],
    ['a list with dashes', 'x:\n  - ${AWKWARD}\n  - b', [AWKWARD, 'b']],
    ['braces', 'x: {y: ${AWKWARD}}', { y: AWKWARD }],
    ['JSON', '{"x": ["${AWKWARD}"]}', [AWKWARD]],
    ['two in one text', 'x: ${NUMBER}-${NUMBER}', '0123-0123'],
  ])('keeps a value full of special characters one text in %s', (_, text, wanted) => {
    expect(valuesOf(text)).toEqual([{ x: wanted }]);
  });

  it('keeps digits and an empty value as text', () => {
    expect(valuesOf('x: ${NUMBER}\ny: ${EMPTY}')).toEqual([{ x: '0123', y: '' }]);
  });

  it('keeps comments, escaped placeholders and other dollar signs unchanged', () => {
    const text = '# ${NONE}\nx: $${NONE} # ${NONE}\ny: $NONE {} \n---\nz: ${}\n';
    expect(fillIn(text, {})).toEqual({ text, problems: [] });
  });

  it('escapes a placeholder inside a value', () => {
    expect(valuesOf('x: ${DOLLARS}')).toEqual([{ x: 'in $${USD}' }]);
  });

  it('names the lines of all variables that are missing or cannot be filled in', () => {
    expect(fillIn('x: ${ONE}\n\ny: [a, ${TWO}]\nz: ${LINES}\nw: a\n  ${NUMBER}', VARIABLES).problems).toEqual([
      { line: 1, message: 'the environment has no ONE' },
      { line: 3, message: 'the environment has no TWO' },
      { line: 4, message: 'LINES has more than one line' },
      { line: 6, message: 'the text of several lines around ${NUMBER} needs quotes' },
    ]);
  });

  it('returns text with invalid YAML on the same lines, so that the server can name the line', () => {
    expect(fillIn('x: [${NUMBER}\ny: }', VARIABLES).text).toMatch(/^x: \["?(0123|\$\{NUMBER\})"?\ny: \}$/);
  });
});
