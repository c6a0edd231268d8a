/** Advance widths of U+0020..U+007E in thousandths of the font size: DejaVu Sans Condensed 2.37, table hmtx. */
const REGULAR = [
  286, 360, 414, 754, 572, 855, 702, 247, 351, 351, 450, 754, 286, 325, 286, 303, 572, 572, 572, 572, 572, 572, 572,
  572, 572, 572, 303, 303, 754, 754, 754, 478, 900, 615, 617, 628, 693, 568, 518, 697, 677, 265, 265, 590, 501, 776,
  673, 708, 542, 708, 625, 571, 549, 659, 615, 890, 616, 549, 616, 351, 303, 351, 754, 450, 450, 551, 571, 495, 571,
  554, 316, 571, 570, 250, 250, 521, 250, 876, 570, 550, 571, 571, 370, 469, 353, 570, 532, 736, 532, 532, 472, 572,
  303, 572, 754,
];

/** The same of DejaVu Sans Condensed Bold 2.37. */
const BOLD = [
  313, 410, 469, 754, 626, 901, 785, 275, 411, 411, 470, 754, 342, 374, 342, 329, 626, 626, 626, 626, 626, 626, 626,
  626, 626, 626, 360, 360, 754, 754, 754, 522, 900, 696, 686, 660, 747, 615, 615, 738, 753, 334, 334, 697, 573, 896,
  753, 765, 659, 765, 693, 648, 614, 730, 696, 993, 694, 651, 652, 411, 329, 411, 754, 450, 450, 607, 644, 533, 644,
  610, 391, 644, 641, 308, 308, 598, 308, 938, 641, 618, 644, 644, 444, 536, 430, 641, 586, 831, 580, 586, 523, 641,
  329, 641, 754,
];

export interface FontStyle {
  /** Pixels. */
  size: number;
  bold?: boolean;
}

/**
 * Width of a line of text in pixels. Measured with the bundled font, so that the layout of a picture is the same on
 * every machine; common interface fonts have the same width or are slightly narrower. Letters outside ASCII are
 * estimated.
 */
export function textWidth(text: string, font: FontStyle): number {
  const widths = font.bold ? BOLD : REGULAR;
  let thousandths = 0;
  for (const char of text) {
    const code = char.codePointAt(0)!;
    thousandths += widths[code - 32] ?? (code >= 0x1100 ? 1000 : 620);
  }
  return (thousandths * font.size) / 1000;
}

/** Text that is safe in XML: characters that XML does not allow are replaced, line breaks become blanks. */
export function printable(text: string): string {
  const known = text.replace(/\s+/gu, ' ').replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, '\uFFFD');
  return inert(known.trim());
}

/**
 * ECharts caches the widths of texts in plain objects. A text that is a member of every object (`__proto__`,
 * `constructor`) would access the prototype of all objects and change it; a trailing blank is invisible.
 */
function inert(text: string): string {
  return text in Object.prototype ? `${text} ` : text;
}

/** The text, truncated with an ellipsis if it is wider than `maxWidth` pixels; empty if not even that fits. */
export function fitText(text: string, maxWidth: number, font: FontStyle): string {
  if (textWidth(text, font) <= maxWidth) return inert(text);
  const room = maxWidth - textWidth('…', font);
  if (room < 0) return '';
  let kept = '';
  let width = 0;
  for (const char of text) {
    width += textWidth(char, font);
    if (width > room) break;
    kept += char;
  }
  return `${kept.trimEnd()}…`;
}

/** `14:02` and `3.4` are not broken. */
const isBreak = (chars: readonly string[], at: number): boolean =>
  /[\s,;|/._:-]/u.test(chars[at - 1]!) && !(/\d/.test(chars[at - 2] ?? '') && /\d/.test(chars[at] ?? ''));

/**
 * Breaks text into at most `maxLines` lines, if possible after blanks and separators of the parts of a name; the last
 * line is truncated if necessary.
 */
export function wrapText(text: string, maxWidth: number, maxLines: number, font: FontStyle): string[] {
  const lines: string[] = [];
  let rest = text;
  while (lines.length < maxLines - 1 && textWidth(rest, font) > maxWidth) {
    const chars = Array.from(rest);
    let width = 0;
    let fits = 0;
    while (fits < chars.length && width + textWidth(chars[fits]!, font) <= maxWidth) {
      width += textWidth(chars[fits]!, font);
      fits += 1;
    }
    let cut = fits;
    while (cut > fits / 2 && !isBreak(chars, cut)) cut -= 1;
    if (cut <= fits / 2) cut = fits;
    if (cut === 0) break;
    lines.push(inert(chars.slice(0, cut).join('').trimEnd()));
    rest = chars.slice(cut).join('').trimStart();
  }
  lines.push(fitText(rest, maxWidth, font));
  return lines;
}
