/** Locales whose texts are part of the product; the first is the default. */
const INSTALLED_LOCALES = ['en-gb'] as const;

/** The installed locale that fits `Accept-Language` best: whole tag first, then the language alone. */
export function languageOf(acceptLanguage: string | undefined): string {
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters.map((text) => /^\s*q=([\d.]+)$/.exec(text)?.[1]).find((text) => text !== undefined);
      return { tag: tag.trim(), quality: Number(quality ?? 1) };
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { tag } of wanted) {
    const language = tag.split('-')[0];
    const found =
      INSTALLED_LOCALES.find((locale) => locale === tag) ??
      INSTALLED_LOCALES.find((locale) => locale.split('-')[0] === language);
    if (found) return found;
  }
  return INSTALLED_LOCALES[0];
}
