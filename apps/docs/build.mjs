/**
 * `npm run build:docs`: makes the site of the documents in dist/docs, where the server finds it (`-- --to FOLDER`: elsewhere).
 * Fails with a sentence for each page that docs/nav.yaml forgets.
 */
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Eleventy from '@11ty/eleventy';
import { build } from 'vite';
import { writePackedTwins } from '../../scripts/packed-twins.mjs';
import { adaptMarkdown } from './markdown.mjs';
import { readNavigation } from './navigation.mjs';
import { makeSearchIndex } from './search-index.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HERE = 'apps/docs';
const LICENCES = 'licences.md';
const FIRST_PARTS = /<(h[23]) id="([^"]+)">(.*?) <a class="anchor"/g;

const { values } = parseArgs({ options: { from: { type: 'string' }, to: { type: 'string' } } });
const docs = resolve(values.from ?? join(ROOT, 'docs'));
const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
const output = resolve(values.to ?? join(ROOT, 'dist/docs'));

try {
  const navigation = readNavigation(docs);
  await rm(output, { recursive: true, force: true });
  process.chdir(ROOT);
  const assets = await makeAssets();
  await makePages(navigation, assets);
  await writePackedTwins(output, await readdir(output, { recursive: true }), { brotliQuality: 9 });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** Script, style and icon, with names that change with what they hold. */
async function makeAssets() {
  process.env.NODE_ENV = 'production';
  const { output: files } = await build({
    configFile: false,
    root: join(ROOT, HERE),
    logLevel: 'warn',
    base: './',
    publicDir: false,
    build: {
      outDir: output,
      emptyOutDir: false,
      assetsInlineLimit: 0,
      license: { fileName: LICENCES },
      modulePreload: false,
      reportCompressedSize: false,
      target: 'es2022',
      rolldownOptions: { input: join(ROOT, HERE, 'src/site.ts') },
    },
  });
  const icon = 'favicon.svg';
  await mkdir(output, { recursive: true });
  await copyFile(join(ROOT, 'apps/console/public/favicon.svg'), join(output, icon));
  return {
    icon,
    script: files.find((file) => file.isEntry).fileName,
    style: files.find((file) => file.fileName.endsWith('.css')).fileName,
  };
}

async function makePages({ sections, pages }, assets) {
  let markdown;
  const pageOf = (inputPath) => pages.find(({ file }) => resolve(docs, file) === resolve(inputPath));
  const beside = (data, step) => pages[pages.indexOf(pageOf(data.page.inputPath)) + step];
  const site = new Eleventy(docs, output, {
    quietMode: true,
    config(eleventy) {
      eleventy.setUseGitIgnore(false);
      eleventy.setIncludesDirectory('../apps/docs/layout');
      eleventy.setTemplateFormats(['md']);
      eleventy.addPassthroughCopy({ [join(docs, 'images')]: 'images', [join(docs, 'examples')]: 'examples' });
      eleventy.amendLibrary('md', (md) => {
        adaptMarkdown(md, docs);
        markdown = md;
      });
      eleventy.addFilter('parts', (html) =>
        [...html.matchAll(FIRST_PARTS)].map(([, tag, anchor, text]) => ({
          tag,
          anchor,
          text: text.replaceAll(/<\/?(?:a|code|strong|em)\b[^>]*>/g, ''),
        })),
      );
      for (const [name, value] of Object.entries({ sections, assets, version, layout: 'page.njk' })) {
        eleventy.addGlobalData(name, value);
      }
      eleventy.addGlobalData('permalink', () => (data) => pageOf(data.page.inputPath).path);
      eleventy.addGlobalData('eleventyComputed', {
        doc: (data) => pageOf(data.page.inputPath),
        root: (data) => '../'.repeat(pageOf(data.page.inputPath).path.split('/').length - 1) || './',
        previous: (data) => beside(data, -1),
        next: (data) => beside(data, 1),
      });
      return { markdownTemplateEngine: false };
    },
  });
  await site.write();
  const tokens = await Promise.all(
    pages.map(async ({ file }) => {
      const inputPath = join(docs, file);
      return markdown.parse(await readFile(inputPath, 'utf8'), { page: { inputPath } });
    }),
  );
  await writeFile(
    join(output, 'search.json'),
    makeSearchIndex(pages, (page) => tokens[pages.indexOf(page)]),
  );
}
