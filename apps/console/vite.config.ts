import { existsSync } from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, defineConfig, type Plugin, type Rolldown } from 'vite';
import { writePackedTwins } from '../../scripts/packed-twins.mjs';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/**
 * Modules that pages share: the console's own small components (without charts, lines to copy, fields of chips and
 * shapes), data, routes and plain elements.
 */
const SHARED =
  /apps\/console\/src\/(?:lib|components(?!\/(?:chart|lines|chips-field|pattern-shape|shape-overlay)))\/|libs\/(?:contracts|client)\/|node_modules\/@tanstack\/(?!.*virtual)|@mantine\/core\/esm\/components\/(?:ActionIcon|Alert|Anchor|Button|CloseButton|FocusTrap|Group|Input|InputBase|Kbd|Loader|Popover|ScrollArea|Skeleton|Stack|Text|TextInput|Title|VisuallyHidden)\/|(?:create-scoped-keydown-handler|noop|to-int|use-uncontrolled)\./;

const TARGET = 'es2022';

/** Packed twins of every file of the build, so that the server never compresses one while a client waits. */
function packed(): Plugin {
  return {
    name: 'packed',
    apply: 'build',
    // Only written files are final: when the bundle is generated, other plugins still change the code of chunks.
    async writeBundle({ dir = '' }, bundle) {
      // The server fills in the page itself for each reader.
      const files = Object.keys(bundle).filter((name) => !name.endsWith('.html'));
      await writePackedTwins(dir, files, { brotliQuality: 11 });
    },
  };
}

const AHEAD = path('./src/ahead.ts');
const FIRST_PAGE = path('./src/features/now/now.page.tsx');

/** Scripts and styles of the first page that the entry does not name. */
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

/** A file with all files that it loads before it runs. */
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
 * The script that requests data and files of the first page: a separate file at the start of the page, so that it waits
 * for no other file. The server inserts whether there is a session.
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

/** Licences of the packages in the files, served with them (`/licences.md`). */
const LICENCES = 'licences.md';

/** Vite writes the licences; the Apache licences also require the notices. */
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

// The environment of the build may have another value for other programs, such as tests, but the output is for
// production.
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
        // Every page needs these small modules; a file for each of them would cause dozens of requests on the first
        // page. Without this option, joined modules could run before their dependencies.
        strictExecutionOrder: true,
        codeSplitting: { groups: [{ name: 'shared', test: SHARED, minShareCount: 2 }] },
      },
      // Mantine marks its files for servers that render React, which are not used here.
      onLog: (level, log, next) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : next(level, log)),
    },
  },
  server: { port: 5173, proxy: { '/api': { target: process.env.PLUMBLINE_URL ?? 'http://localhost:3000' } } },
});
