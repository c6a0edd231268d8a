import { excerptOf, piecesOf } from './excerpt';

const shown = (text: string, words: string[]): string =>
  excerptOf(text, words)
    .map((piece) => (piece.isHit ? `<${piece.text}>` : piece.text))
    .join('');

describe('the excerpt of a search result', () => {
  it('marks only the words, in any case', () => {
    expect(shown('Backup and restore', ['backup', 'restore'])).toBe('<Backup> and <restore>');
    expect(shown('Nothing of it', ['backup'])).toBe('Nothing of it');
    expect(shown('', ['backup'])).toBe('');
  });

  it('begins at a word before the first hit, and marks omitted text with an ellipsis', () => {
    const text = `${'before '.repeat(40)}here ${'after '.repeat(60)}`;
    const excerpt = shown(text, ['here']);
    expect(excerpt).toMatch(/^… before (?:before )*<here> after .* …$/);
    expect(excerpt.length).toBeLessThan(170);
  });

  it('marks the longest word that matches at a position', () => {
    expect(piecesOf('restored', ['rest', 'restored'])).toEqual([{ text: 'restored', isHit: true }]);
  });

  it('shows markup as text', () => {
    expect(excerptOf('<b>x</b>', [])).toEqual([{ text: '<b>x</b>', isHit: false }]);
  });
});
