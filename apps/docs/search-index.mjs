import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS } from './src/search-options.js';
import { textOf } from './markdown.mjs';

/** What is found of a page is its parts: a heading of the first three levels, and what stands below it. */
const LEVELS = new Set(['h1', 'h2', 'h3']);
/** A part is shown by the text around the words that were looked for; more than this of it is not needed. */
const MAX_TEXT = 4_000;

/** The parts of a page: anchor, heading, text. */
function partsOf(tokens) {
  const parts = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open' && LEVELS.has(token.tag)) {
      const heading = textOf(tokens[index + 1]);
      parts.push({ anchor: token.tag === 'h1' ? '' : `#${token.attrGet('id')}`, heading, text: [] });
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') {
      parts.at(-1)?.text.push(textOf(token));
    } else if (token.type === 'fence' && !token.info.startsWith('mermaid')) {
      parts.at(-1)?.text.push(token.content);
    }
  }
  return parts;
}

/**
 * @param {import('./navigation.mjs').DocPage[]} pages
 * @param {(page: import('./navigation.mjs').DocPage) => object[]} tokensOf a page as markdown-it reads it
 * @returns {string} JSON of the index, as the browser loads it
 */
export function makeSearchIndex(pages, tokensOf) {
  const index = new MiniSearch(SEARCH_OPTIONS);
  for (const page of pages) {
    for (const { anchor, heading, text } of partsOf(tokensOf(page))) {
      index.add({
        id: page.path + anchor,
        heading,
        title: page.heading,
        kind: page.group === 'Decisions' ? 'Decision' : page.section,
        text: text.join(' ').replace(/\s+/g, ' ').slice(0, MAX_TEXT),
      });
    }
  }
  return JSON.stringify(index);
}
