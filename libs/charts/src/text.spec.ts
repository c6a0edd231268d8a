import { fitText, printable, textWidth, wrapText } from './text.js';

const FONT = { size: 10 };

describe('printable', () => {
  it.each([
    ['replaces line breaks and runs of blanks by one blank', ' a\n\tb   c ', 'a b c'],
    ['replaces control characters', 'a\u0000b\u001bc', 'a\ufffdb\ufffdc'],
    ['replaces lone surrogates and keeps pairs', '\ud800x😀', '\ufffdx😀'],
    ['keeps markup, which the caller must escape', '<b>&', '<b>&'],
  ])('%s', (_, input, want) => expect(printable(input)).toBe(want));
});

describe('textWidth', () => {
  it('adds the advance widths of the bundled font', () => {
    // DejaVu Sans Condensed: a = 551, b = 571 thousandths.
    expect(textWidth('ab', FONT)).toBeCloseTo(11.22, 6);
  });

  it('returns a larger width for bold text', () => {
    expect(textWidth('metric', { size: 10, bold: true })).toBeGreaterThan(textWidth('metric', FONT));
  });
});

describe('fitText', () => {
  it('returns text that fits unchanged', () => expect(fitText('cpu', 100, FONT)).toBe('cpu'));

  it('cuts with an ellipsis and stays within the width', () => {
    const cut = fitText('a rather long name of a metric', 60, FONT);
    expect(cut).toMatch(/^a rather.*…$/);
    expect(textWidth(cut, FONT)).toBeLessThanOrEqual(60);
  });

  it('returns an empty text when not even the ellipsis fits', () => expect(fitText('cpu', 3, FONT)).toBe(''));
});

describe('wrapText', () => {
  it('breaks after commas and keeps every line within the width', () => {
    const lines = wrapText('http_requests{instance="web-1:9090",job="api",zone="north"}', 190, 2, FONT);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toBe('http_requests{instance="web-1:9090",');
    for (const line of lines) expect(textWidth(line, FONT)).toBeLessThanOrEqual(190);
  });

  it('breaks within a word that has no place to break', () => {
    expect(wrapText('a'.repeat(40), 100, 2, FONT)[0]).toMatch(/^a+$/);
  });

  it('returns one empty line when not one letter fits', () => expect(wrapText('abc', 1, 3, FONT)).toEqual(['']));
});

it('wrapText breaks a name between its parts', () => {
  const [first] = wrapText('shop.checkout.payments.latency', textWidth('shop.checkout.paym', { size: 11 }), 2, {
    size: 11,
  });
  expect(first).toBe('shop.checkout.');
});
