/**
 * How the search index is made and asked: the build writes it, the browser reads it.
 * @type {import('minisearch').Options<import('./search').Found>}
 */
export const SEARCH_OPTIONS = {
  fields: ['heading', 'title', 'text'],
  storeFields: ['heading', 'title', 'kind', 'text'],
  // Names of settings and metrics are found by their parts as well.
  tokenize: (text) =>
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== ''),
  searchOptions: {
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
    boost: { heading: 6, title: 3 },
    boostDocument: (_id, _term, stored) => (stored?.kind === 'Decision' ? 0.4 : 1),
  },
};
