import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import MiniSearch, { type Options, type SearchResult } from 'minisearch';

const ROOT = resolve(import.meta.dirname, '../..');
const START = 'index.html';
/** The only link out of the site: the console that serves it. */
const CONSOLE = '../';
/** Elements that Markdown and the frame of the pages generate. */
const ELEMENTS =
  /^(a|aside|blockquote|body|br|button|code|del|details|div|em|figcaption|figure|h[1-6]|head|header|hr|html|img|input|kbd|li|link|main|meta|nav|ol|p|pre|script|span|strong|summary|table|tbody|td|th|thead|title|tr|ul)$/;

interface Run {
  code: number | string | null;
  output: string;
}

function build(options: { from?: string; to: string }): Promise<Run> {
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  return new Promise((done) => {
    execFile(process.execPath, [join(ROOT, 'apps/docs/build.mjs'), ...args], { cwd: ROOT }, (error, stdout, stderr) => {
      done({ code: error?.code ?? 0, output: stdout + stderr });
    });
  });
}

/** The text of an attribute, with entities decoded. */
const plain = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

const valuesOf = (html: string, attribute: string): string[] =>
  [...html.matchAll(new RegExp(`<[^<>]*? ${attribute}="([^"]*)"`, 'g'))].map(([, value]) => plain(value!));

describe('the site of the documents', () => {
  let folder: string;
  let files: Set<string>;
  /** HTML by path on the site. */
  const pages = new Map<string, string>();
  const anchors = new Map<string, string[]>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumbline-docs-'));
    expect(await build({ to: folder })).toEqual({ code: 0, output: expect.any(String) });
    const names = (await readdir(folder, { recursive: true })).map((name) => name.split(sep).join('/'));
    files = new Set(names);
    for (const name of names.filter((one) => one.endsWith('.html'))) {
      const html = await readFile(join(folder, name), 'utf8');
      pages.set(name, html);
      anchors.set(name, valuesOf(html, 'id'));
    }
  }, 180_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Links of a page as paths from the root of the site, without external links. */
  const linksOf = (page: string): { href: string; path: string; anchor: string }[] =>
    [...valuesOf(pages.get(page)!, 'href'), ...valuesOf(pages.get(page)!, 'src')]
      .filter((href) => !/^[a-z]+:/.test(href))
      .map((href) => {
        const [, path = '', anchor = ''] = /^([^#]*)#?(.*)$/.exec(href)!;
        return { href, path: path === '' ? page : posix.join(posix.dirname(page), path), anchor };
      });

  it('has a page for each document', async () => {
    const sources = (await readdir(join(ROOT, 'docs'), { recursive: true })).map((name) => name.split(sep).join('/'));
    const wanted = sources
      .filter((name) => name.endsWith('.md'))
      .map((name) => name.replace(/README\.md$/, 'index.md').replace(/md$/, 'html'));
    expect([...pages.keys()].sort()).toEqual(wanted.sort());
  });

  it('has no broken link, picture or anchor', () => {
    const broken = [...pages.keys()].flatMap((page) =>
      linksOf(page)
        .filter(({ path }) => path !== CONSOLE)
        .filter(({ path, anchor }) => !files.has(path) || (anchor !== '' && !anchors.get(path)?.includes(anchor)))
        .map(({ href }) => `${page}: ${href}`),
    );
    expect(broken).toEqual([]);
  });

  it('links only to https addresses outside of the site', () => {
    const schemes = [...pages.values()].flatMap((html) =>
      valuesOf(html, 'href').map((href) => /^([a-z]+):/.exec(href)?.[1] ?? 'https'),
    );
    expect([...new Set(schemes)]).toEqual(['https']);
  });

  it('links to every page from the navigation of the first one', () => {
    const waiting = [START];
    const seen = new Set(waiting);
    for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
      const nav = /<nav id="pages"[\s\S]*?<\/nav>/.exec(pages.get(page)!)![0];
      for (const href of valuesOf(nav, 'href')) {
        const path = posix.join(posix.dirname(page), href);
        if (!seen.has(path)) waiting.push(path);
        seen.add(path);
      }
    }
    expect([...pages.keys()].filter((page) => !seen.has(page))).toEqual([]);
  });

  it('has unique anchors on each page, named as on code hosts', () => {
    const twice = [...anchors].filter(([, ids]) => new Set(ids).size < ids.length).map(([page]) => page);
    expect(twice).toEqual([]);
    expect(anchors.get('guide/runbook.html')).toContain('plumblinebacklogage');
  });

  it('shows each picture with its size and an alternative text', () => {
    const pictures = [...pages.values()].flatMap((html) => html.match(/<img [^>]*images\/[^>]*>/g) ?? []);
    expect(pictures.length).toBeGreaterThan(10);
    for (const picture of pictures) expect(picture).toMatch(/ alt="[^"]+".* width="\d+" height="\d+"/);
  });

  it('contains no inline script or style, as its content policy requires', () => {
    for (const html of pages.values()) {
      expect(html.match(/<style|<script(?![^>]* src=)[^>]*>| style="| on[a-z]+="/g)).toBeNull();
    }
  });

  it('renders HTML in Markdown as text', () => {
    const names = [...pages.values()].flatMap((html) => [...html.matchAll(/<([a-z][\w-]*)/g)].map(([, name]) => name!));
    expect([...new Set(names)].filter((name) => !ELEMENTS.test(name))).toEqual([]);
  });

  it('names files of the repository without a link', () => {
    const says = (page: string, text: string): boolean => pages.get(page)!.includes(text);
    expect(says('guide/grafana.html', ' deploy/grafana')).toBe(true);
    expect(says('architecture.html', 'libs/series (<code>libs/series/README.md</code>)')).toBe(true);
    const links = [...pages.keys()].flatMap((page) => linksOf(page).map(({ href }) => href));
    expect(links.filter((href) => /\.(?:md|ts|ya?ml|mjs)(?:#|$)/.test(href))).toEqual([]);
  });

  it('links from each page to the previous and the next one', () => {
    let page = START;
    const walked = [page];
    for (;;) {
      const next = valuesOf(/<a rel="next"[^>]*>/.exec(pages.get(page)!)?.[0] ?? '', 'href')[0];
      if (next === undefined) break;
      page = posix.join(posix.dirname(page), next);
      walked.push(page);
    }
    expect(walked.sort()).toEqual([...pages.keys()].sort());
  });

  describe('search', () => {
    let index: MiniSearch;
    const find = (words: string): SearchResult[] => index.search(words);

    beforeAll(async () => {
      const { SEARCH_OPTIONS } = (await import(pathToFileURL(join(ROOT, 'apps/docs/src/search-options.js')).href)) as {
        SEARCH_OPTIONS: Options;
      };
      index = MiniSearch.loadJSON(await readFile(join(folder, 'search.json'), 'utf8'), SEARCH_OPTIONS);
    });

    it.each([
      ['backup', 'guide/backup.html'],
      ['POINT_LOG_URL', 'guide/jetstream.html'],
      ['single sign', 'guide/single-sign-on.html'],
      ['watchrs', 'guide/watchers.html'],
      ['PlumblineBacklogAge', 'guide/runbook.html'],
    ])('finds "%s"', (words, page) => {
      const first = find(words).slice(0, 5);
      expect(first.map(({ id }) => String(id).replace(/#.*/, ''))).toContain(page);
    });

    it('leads only to existing pages and anchors', () => {
      const found = find('the').map(({ id }) => String(id).split('#') as [string, string?]);
      expect(found.length).toBeGreaterThan(300);
      const missing = found.filter(([page, anchor]) => anchor !== undefined && !anchors.get(page)?.includes(anchor));
      expect(missing).toEqual([]);
      expect(found.filter(([page]) => !pages.has(page))).toEqual([]);
    });

    it('has an index of less than 400 kB', async () => {
      expect((await stat(join(folder, 'search.json.br'))).size).toBeLessThan(400_000);
    });
  });
});

describe('the build of the documents', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumbline-docs-'));
    await mkdir(join(folder, 'docs'));
    await cp(join(ROOT, 'docs/README.md'), join(folder, 'docs/README.md'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('reports pages that are missing from, repeated in or unknown to the navigation, and unknown kinds', async () => {
    const nav = [
      '- kind: how-to\n  title: How-to\n  pages: [listed.md, listed.md, gone.md]',
      '- kind: story\n  title: Stories\n  groups: [{ title: All, pages: [more/*] }]\n',
    ];
    await mkdir(join(folder, 'docs/more'));
    await writeFile(join(folder, 'docs/nav.yaml'), nav.join('\n'));
    for (const name of ['listed.md', 'scale.md', 'more/0001-numbered.md', 'more/other.md'])
      await writeFile(join(folder, 'docs', name), `# ${name}\n`);
    const { code, output } = await build({ from: join(folder, 'docs'), to: join(folder, 'site') });
    expect(code).toBe(1);
    expect(output.trim().split('\n')).toEqual([
      'docs/nav.yaml lists listed.md twice.',
      'docs/nav.yaml lists gone.md, and there is no docs/gone.md.',
      'docs/nav.yaml has the kind "story"; kinds are getting-started, how-to, reference, explanation.',
      'docs/more/other.md is not in docs/nav.yaml: add the line "- more/other.md" below the kind that it is (getting-started, how-to, reference or explanation), where a reader would look for it.',
      'docs/scale.md is not in docs/nav.yaml: add the line "- scale.md" below the kind that it is (getting-started, how-to, reference or explanation), where a reader would look for it.',
    ]);
  }, 60_000);
});
