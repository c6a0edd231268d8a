/** An object of texts as it is typed: one `name=value` per line. */
export type NamedTexts = Readonly<Record<string, string>>;

export const linesOf = (texts: NamedTexts): string =>
  Object.entries(texts)
    .map(([name, text]) => `${name}=${text}`)
    .join('\n');

const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** True if each line has a name and a value. */
export const areNameLines = (text: string): boolean => linesIn(text).every((line) => line.indexOf('=') > 0);

export const textsOf = (lines: string): Record<string, string> =>
  Object.fromEntries(
    linesIn(lines).map((line) => {
      const at = line.indexOf('=');
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
