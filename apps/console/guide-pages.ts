import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { type Plugin } from 'vite';

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!);

/** As links of the pages name a heading: `nothing-arrives`. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .replace(/\s/g, '-');

/** Where a link of a page leads from /guide; null for what is not served: files of the repository. */
function targetOf(href: string): string | null {
  if (/^(?:https?:|#)/.test(href)) return href;
  const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return name === undefined ? null : `${name}.html${anchor}`;
}

/** One page of the guide as HTML. Its text is our own, and what it holds of HTML is shown as text all the same. */
function pageOf(markdown: string): string {
  const marked = new Marked({
    renderer: {
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escaped(text),
      heading({ tokens, depth, text }: Tokens.Heading) {
        const tag = `h${String(depth)}`;
        return `<${tag} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</${tag}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const target = targetOf(href);
        const text = this.parser.parseInline(tokens);
        return target === null ? text : `<a href="${escaped(target)}">${text}</a>`;
      },
      image: ({ href, text }: Tokens.Image) => `<img src="images/${escaped(basename(href))}" alt="${escaped(text)}">`,
    },
  });
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? 'Guide';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Plumbline</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="guide.css">
</head>
<body>
<nav><a href="/">Plumbline</a> <a href="console.html">Guide</a></nav>
<main>
${marked.parse(markdown, { async: false })}</main>
</body>
</html>
`;
}

/** The pages of docs/guide below /guide, so that an installation shows the guide of its own version. */
export function guidePages(docs: string, style: string): Plugin {
  return {
    name: 'guide-pages',
    apply: 'build',
    generateBundle() {
      const emit = (fileName: string, source: string | Uint8Array): void =>
        void this.emitFile({ type: 'asset', fileName: `guide/${fileName}`, source });
      emit('guide.css', readFileSync(style));
      for (const file of readdirSync(join(docs, 'guide')).filter((name) => name.endsWith('.md'))) {
        const page = pageOf(readFileSync(join(docs, 'guide', file), 'utf8'));
        emit(file.replace(/\.md$/, '.html'), page);
      }
      for (const file of readdirSync(join(docs, 'images')))
        emit(`images/${file}`, readFileSync(join(docs, 'images', file)));
    },
  };
}
