import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { parse } from 'yaml';

/** The file below docs/ that gives the order of the pages. */
const NAV = 'nav.yaml';
/** The page that the site begins with. It stands before all others and is of no kind. */
const START = 'README.md';
const KINDS = new Set(['getting-started', 'how-to', 'reference', 'explanation']);

/**
 * @typedef {object} DocPage
 * @property {string} file its path below docs/, with slashes
 * @property {string} path its path on the site
 * @property {string} heading its first heading
 * @property {string} title how navigation calls it
 * @property {string} kind one of the four kinds; '' for the start page
 * @property {string} section how navigation calls the kind
 * @property {string} group how navigation calls the group within the kind; '' without one
 *
 * @typedef {{ title: string, pages: DocPage[] }} DocGroup
 * @typedef {{ kind: string, title: string, pages: DocPage[], groups: DocGroup[] }} DocSection
 */

/** `guide/alerts.md` is `guide/alerts.html` on the site; a README is the page of its folder. */
export const pathOf = (file) => file.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '.html');

/**
 * Reads nav.yaml, and holds it against the files. Throws an Error that names each page that is listed and not there, there and
 * not listed, or listed twice.
 * @param {string} docs the folder of the documents
 * @returns {{ sections: DocSection[], pages: DocPage[] }} `pages` has all of them in the order of reading
 */
export function readNavigation(docs) {
  const files = readdirSync(docs, { recursive: true })
    .map((name) => name.split(sep).join('/'))
    .filter((name) => name.endsWith('.md'))
    .sort();
  const problems = [];
  const seen = new Set();

  const pageOf = (file, title, place) => {
    if (seen.has(file)) problems.push(`docs/${NAV} lists ${file} twice.`);
    seen.add(file);
    const heading = /^# (.+)$/m.exec(readFileSync(join(docs, file), 'utf8'))?.[1].replaceAll('`', '') ?? file;
    return { file, path: pathOf(file), heading, title: title ?? heading, ...place };
  };
  const pagesOf = (entries, place) =>
    (entries ?? []).flatMap((entry) => {
      const [file, title] = typeof entry === 'string' ? [entry] : Object.entries(entry)[0];
      if (file.endsWith('/*')) {
        const folder = posix.dirname(file);
        const numbered = files.filter((name) => posix.dirname(name) === folder && /^\d/.test(posix.basename(name)));
        return numbered.map((name) => pageOf(name, undefined, place));
      }
      if (files.includes(file)) return [pageOf(file, title, place)];
      problems.push(`docs/${NAV} lists ${file}, and there is no docs/${file}.`);
      return [];
    });

  const start = pageOf(START, 'Documentation', { kind: '', section: '', group: '' });
  const sections = parse(readFileSync(join(docs, NAV), 'utf8')).map(({ kind, title, pages, groups }) => {
    if (!KINDS.has(kind)) problems.push(`docs/${NAV} has the kind "${kind}"; kinds are ${[...KINDS].join(', ')}.`);
    const place = { kind, section: title, group: '' };
    return {
      kind,
      title,
      pages: pagesOf(pages, place),
      groups: (groups ?? []).map((group) => ({
        title: group.title,
        pages: pagesOf(group.pages, { ...place, group: group.title }),
      })),
    };
  });
  for (const file of files.filter((name) => !seen.has(name))) {
    problems.push(
      `docs/${file} is not in docs/${NAV}: add the line "- ${file}" below the kind that it is (getting-started, how-to, reference or explanation), where a reader would look for it.`,
    );
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const inOrder = sections.flatMap(({ pages, groups }) => [...pages, ...groups.flatMap((group) => group.pages)]);
  return { sections, pages: [start, ...inOrder] };
}
