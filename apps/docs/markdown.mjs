import { existsSync, openSync, readSync, closeSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { pathOf } from './navigation.mjs';

/** As code hosts name headings, so that a link to one works there and here: `nothing-arrives`. */
function anchorOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/** What is read of an inline token: its text and code, without marks and addresses. */
export const textOf = (inline) =>
  (inline?.children ?? [])
    .map(({ type, content }) =>
      type === 'text' || type === 'code_inline' ? content : type.endsWith('break') ? ' ' : '',
    )
    .join('');

/**
 * Where a link of a page leads on the site.
 * @param {string} href as it stands in the page
 * @param {string} file the page, below docs/
 * @returns {{ href: string } | { source: string }} `source`: a file of the repository that the site does not have
 */
export function targetOf(href, file) {
  if (/^(?:[a-z]+:|#)/.test(href)) return { href };
  const [, path, anchor = ''] = /^([^#]*)(#.*)?$/.exec(href);
  const target = posix.normalize(posix.join('docs', posix.dirname(file), path));
  if (!target.startsWith('docs/')) return { source: target };
  const inDocs = target.slice('docs/'.length).replace(/\/$/, '/README.md');
  if (!inDocs.endsWith('.md') && !inDocs.startsWith('images/') && !inDocs.startsWith('examples/'))
    return { source: target };
  return { href: (posix.relative(posix.dirname(pathOf(file)), pathOf(inDocs)) || '.') + anchor };
}

/** Width and height of a PNG, from its first bytes. */
function sizeOf(file) {
  const head = Buffer.alloc(24);
  const handle = openSync(file);
  readSync(handle, head, 0, 24, 0);
  closeSync(handle);
  return { width: String(head.readUInt32BE(16)), height: String(head.readUInt32BE(20)) };
}

/** Headings get the anchors of code hosts; a second heading of the same name gets a number. */
function nameHeadings({ tokens }) {
  const taken = new Map();
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const anchor = anchorOf(textOf(tokens[index + 1]));
    const before = taken.get(anchor) ?? 0;
    taken.set(anchor, before + 1);
    token.attrSet('id', before === 0 ? anchor : `${anchor}-${String(before)}`);
  }
}

/** Cells are aligned by a class: the content policy of the site allows no style in a page. */
function alignByClass(token) {
  const side = /^text-align:(\w+)$/.exec(token.attrGet('style') ?? '')?.[1];
  if (side !== undefined) token.attrs = [['class', side]];
}

/** A link to a file of the repository becomes its text and, where the text does not say it, the name of the file. */
function leadLinks(children, file, Token) {
  const lead = [];
  let source;
  let said = '';
  for (const token of children) {
    if (token.type === 'link_open') {
      const target = targetOf(token.attrGet('href'), file);
      source = target.source;
      said = '';
      if (source === undefined) token.attrSet('href', target.href);
      if (source === undefined) lead.push(token);
    } else if (token.type === 'link_close' && source !== undefined) {
      if (!said.includes(posix.basename(source))) {
        const [open, name, close] = ['text', 'code_inline', 'text'].map((type) => new Token(type, 'code', 0));
        [open.content, name.content, close.content] = [' (', source, ')'];
        lead.push(open, name, close);
      }
      source = undefined;
    } else {
      said += token.content;
      lead.push(token);
    }
  }
  return lead;
}

/**
 * Makes markdown-it write the pages of the site: anchors of headings, links, sizes of pictures, parts that scroll on their own.
 * The environment of a rendering is Eleventy's: `page.inputPath`.
 */
export function adaptMarkdown(md, docs) {
  md.set({ html: false, linkify: false, typographer: false });
  const fileOf = (env) => relative(docs, env.page.inputPath).split('\\').join('/');

  // Marks for programs are no text.
  md.core.ruler.before('normalize', 'comments', (state) => {
    state.src = state.src.replace(/^<!--[^\n]*-->$/gm, '');
  });
  md.core.ruler.push('site', (state) => {
    nameHeadings(state);
    const file = fileOf(state.env);
    for (const token of state.tokens) {
      alignByClass(token);
      if (token.type !== 'inline') continue;
      token.children = leadLinks(token.children, file, state.Token);
      for (const image of token.children.filter(({ type }) => type === 'image')) {
        const path = join(dirname(join(docs, file)), image.attrGet('src'));
        if (existsSync(path)) for (const [name, value] of Object.entries(sizeOf(path))) image.attrSet(name, value);
      }
    }
  });

  const { rules } = md.renderer;
  const escape = md.utils.escapeHtml;
  rules.table_open = () => '<div class="wide" role="region" aria-label="Table" tabindex="0"><table>\n';
  rules.table_close = () => '</table></div>\n';
  rules.heading_close = (tokens, index, options, _env, self) => {
    const { level } = tokens[index];
    const open = tokens.slice(0, index).findLast((token) => token.type === 'heading_open' && token.level === level);
    const anchor =
      tokens[index].tag === 'h1'
        ? ''
        : ` <a class="anchor" href="#${escape(open.attrGet('id'))}" aria-label="Link to this part">#</a>`;
    return anchor + self.renderToken(tokens, index, options);
  };
  rules.fence = (tokens, index) => {
    const { info, content } = tokens[index];
    const [language = '', name = ''] = info.trim().split(/\s+/);
    const caption = name === '' ? '' : `<figcaption>${escape(name)}</figcaption>`;
    const code = `<pre tabindex="0"><code>${escape(content)}</code></pre>`;
    // A picture where code hosts draw it; here the text beside it says the same.
    if (language === 'mermaid')
      return `<details class="source"><summary>The same as a diagram, in the language of Mermaid</summary>${code}</details>\n`;
    return `<figure class="code" data-language="${escape(language)}">${caption}${code}</figure>\n`;
  };
  rules.code_block = (tokens, index) =>
    `<figure class="code"><pre tabindex="0"><code>${escape(tokens[index].content)}</code></pre></figure>\n`;
}
