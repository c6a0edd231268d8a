/** Ends of a word that could make it the name of a host: at least two letters after a dot. */
const HOST = /[\p{L}\p{N}-]\.\p{L}{2,}/u;
/** Dots that browsers take for one in the name of a host. */
const OTHER_DOTS = /[\u3002\uff0e\uff61]/g;
const ADDRESS_SIGNS = /@|:\/\/|\\\\|^www\.|\swww\./i;

/**
 * A name that somebody has chosen, for a mail to somebody else: null when it looks like an e-mail or web address. Mail programs
 * make links of those, and the mail would carry a stranger's message under the name of this service.
 */
export function nameInMail(name: string): string | null {
  const plain = name
    .normalize('NFKC')
    .replace(OTHER_DOTS, '.')
    .replace(/\p{Cf}/gu, '')
    .trim();
  if (plain === '' || ADDRESS_SIGNS.test(plain) || HOST.test(plain)) return null;
  return name;
}
