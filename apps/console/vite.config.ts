import { existsSync } from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, defineConfig, type Plugin, type Rolldown } from 'vite';
import { writePackedTwins } from '../../scripts/packed-twins.mjs';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** What pages have in common: the console's own small parts (without charts, lines to paste, fields of chips and shapes), data, routes and plain elements. */
const SHARED =
  /apps\/console\/src\/(?:lib|components(?!\/(?:chart|lines|chips-field|pattern-shape|shape-overlay)))\/|libs\/(?:contracts|client)\/|node_modules\/@tanstack\/(?!.*virtual)|@mantine\/core\/esm\/components\/(?:ActionIcon|Alert|Anchor|Button|CloseButton|FocusTrap|Group|Input|InputBase|Kbd|Loader|Popover|ScrollArea|Skeleton|Stack|Text|TextInput|Title|VisuallyHidden)\/|(?:create-scoped-keydown-handler|noop|to-int|use-uncontrolled)\./;

const TARGET = 'es2022';

/** Packed twins beside every file of the build, so that the server never packs one while somebody waits. */
function packed(): Plugin {
  return {
    name: 'packed',
    apply: 'build',
    // Only what was written is final: other plugins still change the code of chunks when the bundle is generated.
    async writeBundle({ dir = '' }, bundle) {
      // The server fills in the page itself for each reader.
      const files = Object.keys(bundle).filter((name) => !name.endsWith('.html'));
      await writePackedTwins(dir, files, { brotliQuality: 11 });
    },
  };
}

const AHEAD = path('./src/ahead.ts');
const FIRST_PAGE = path('./src/features/now/now.page.tsx');

/** Scripts and styles of the first page that those of the entry do not name. */
function firstPageOf(bundle: Rolldown.OutputBundle): string[] {
  const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
  const page = chunks.find(({ facadeModuleId }) => facadeModuleId === FIRST_PAGE);
  if (!page) throw new Error(`The build has no file of ${FIRST_PAGE}`);
  const needed = withImports(page, chunks);
  for (const entry of chunks.filter(({ isEntry }) => isEntry)) {
    for (const chunk of withImports(entry, chunks)) needed.delete(chunk);
  }
  return [...needed].flatMap(({ fileName, viteMetadata }) => [fileName, ...(viteMetadata?.importedCss ?? [])]);
}

/** A file with all that it loads before it runs. */
function withImports(
  chunk: Rolldown.OutputChunk,
  chunks: readonly Rolldown.OutputChunk[],
  found = new Set<Rolldown.OutputChunk>(),
): Set<Rolldown.OutputChunk> {
  if (found.has(chunk)) return found;
  found.add(chunk);
  for (const other of chunks) if (chunk.imports.includes(other.fileName)) withImports(other, chunks, found);
  return found;
}

/**
 * The script that asks for data and files of the first page: a file by itself at the beginning of the page, so that it waits
 * for no other file. The server puts in whether there is a session.
 */
function ahead(): Plugin {
  let file = '';
  return {
    name: 'ahead',
    apply: 'build',
    async generateBundle() {
      const { output } = (await build({
        configFile: false,
        logLevel: 'warn',
        build: { write: false, target: TARGET, rolldownOptions: { input: AHEAD, output: { format: 'iife' } } },
      })) as Rolldown.RolldownOutput;
      file = this.getFileName(this.emitFile({ type: 'asset', name: 'ahead.js', source: output[0].code }));
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) => {
        const files = firstPageOf(bundle).map((name) => `/${name}`);
        const attrs = { src: `/${file}`, 'data-session': '__HAS_SESSION__', 'data-files': files.join(' ') };
        return [{ tag: 'script', attrs, injectTo: 'head-prepend' }];
      },
    },
  };
}

/** Licences of what the files hold, sent with them (`/licences.md`). */
const LICENCES = 'licences.md';

/** Vite writes down the licences; those of Apache ask for the notices besides. */
function notices(): Plugin {
  return {
    name: 'notices',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const licences = join(dir, LICENCES);
      for (const [, name] of (await readFile(licences, 'utf8')).matchAll(/^## (\S+) - /gm)) {
        const notice = path(`../../node_modules/${name!}/NOTICE`);
        if (existsSync(notice))
          await appendFile(licences, `\n## Notice of ${name!}\n\n${await readFile(notice, 'utf8')}`);
      }
    },
  };
}

// Who builds may have set something else for programs of their own, tests for example: what is built is for production.
if (process.argv.includes('build')) process.env.NODE_ENV = 'production';

export default defineConfig({
  root: path('.'),
  base: '/',
  plugins: [packed(), notices(), ahead()],
  resolve: {
    alias: [
      { find: '#libs/charts/browser', replacement: path('../../libs/charts/src/browser.ts') },
      { find: /^#libs\/([a-z-]+)$/, replacement: path('../../libs/$1/src/index.ts') },
      { find: /^@\/(.*)$/, replacement: path('./src/$1') },
    ],
  },
  build: {
    outDir: path('../../dist/console'),
    emptyOutDir: true,
    license: { fileName: LICENCES },
    target: TARGET,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // Every page needs these small modules; a file for each of them would be dozens of requests for the first page.
        // Joined, modules would run before those that they need, unless their order is kept.
        strictExecutionOrder: true,
        codeSplitting: { groups: [{ name: 'shared', test: SHARED, minShareCount: 2 }] },
      },
      // Mantine marks its files for servers that render React; there is none here.
      onLog: (level, log, next) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : next(level, log)),
    },
  },
  server: { port: 5173, proxy: { '/api': { target: process.env.PLUMBLINE_URL ?? 'http://localhost:3000' } } },
});
