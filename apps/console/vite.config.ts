import { existsSync } from 'node:fs';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite';
import { guidePages } from './guide-pages.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** What pages have in common: the console's own small parts (without charts), data, routes and plain elements. */
const SHARED =
  /apps\/console\/src\/(?:lib|components(?!\/chart))\/|libs\/(?:contracts|client)\/|node_modules\/@tanstack\/(?!.*virtual)|@mantine\/core\/esm\/components\/(?:ActionIcon|Alert|Anchor|Button|CloseButton|Group|Input|InputBase|Kbd|Loader|Skeleton|Stack|Table|Text|TextInput|Title|VisuallyHidden)\//;

/** Packed twins beside every file of the build, so that the server never packs one while somebody waits. */
function packed(): Plugin {
  return {
    name: 'packed',
    apply: 'build',
    // Only what was written is final: other plugins still change the code of chunks when the bundle is generated.
    async writeBundle({ dir = '' }, bundle) {
      await Promise.all(
        Object.keys(bundle).map(async (name) => {
          if (!/\.(?:js|css|svg)$/.test(name)) return;
          const bytes = await readFile(join(dir, name));
          await Promise.all([
            writeFile(join(dir, `${name}.br`), brotliCompressSync(bytes)),
            writeFile(join(dir, `${name}.gz`), gzipSync(bytes, { level: 9 })),
          ]);
        }),
      );
    },
  };
}

/** What stands around every page, and the first page: scripts that the entry asks for as soon as it runs. */
const FIRST_PAGE = ['/src/app/shell.tsx', '/src/features/now/now.page.tsx'];

/** Browsers load the files of the first page beside those of the entry, not after them. */
function firstPage(): Plugin {
  return {
    name: 'first-page',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const files = new Set<string>();
        const add = (name: string): void => {
          const chunk = bundle[name];
          if (chunk?.type !== 'chunk' || files.has(name)) return;
          files.add(name);
          for (const imported of chunk.imports) add(imported);
          for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
        };
        for (const page of FIRST_PAGE) {
          const chunk = Object.values(bundle).find(
            (output) => output.type === 'chunk' && output.facadeModuleId?.endsWith(page),
          );
          if (!chunk) throw new Error(`No file of the build begins with ${page}`);
          add(chunk.fileName);
        }
        return [...files]
          .filter((name) => !html.includes(`"/${name}"`))
          .map((name): HtmlTagDescriptor => {
            const rel = name.endsWith('.css') ? 'stylesheet' : 'modulepreload';
            return { tag: 'link', attrs: { rel, crossorigin: true, href: `/${name}` }, injectTo: 'head' };
          });
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
  plugins: [packed(), notices(), firstPage(), guidePages(path('../../docs'), path('./guide.css'))],
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
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // Every page needs these small modules; a file for each of them would be dozens of requests for the first page.
        // Joined, modules would run before those that they need, unless their order is kept.
        strictExecutionOrder: true,
        codeSplitting: { groups: [{ name: 'shared', test: SHARED, minShareCount: 3 }] },
      },
      // Mantine marks its files for servers that render React; there is none here.
      onLog: (level, log, next) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : next(level, log)),
    },
  },
  server: { port: 5173, proxy: { '/api': { target: process.env.PLUMBLINE_URL ?? 'http://localhost:3000' } } },
});
