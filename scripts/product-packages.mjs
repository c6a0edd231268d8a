/**
 * The packages of the product: those that package-lock.json does not mark as development packages, and those that the
 * console and the site of the documents import. The latter are development packages, but their code is part of these
 * files.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders whose code is sent to browsers: the console, and the script of the documents. */
const IN_BROWSERS = ['apps/console/src', 'apps/docs/src'];
const IMPORT = /\b(?:from|import)\s*\(?\s*'((?:@[\w-][\w.-]*\/)?[\w-][\w.-]*)(?:\/[^'\n]*)?'/g;
const LIB = /'#libs\/([\w-]+)/g;

/**
 * @param root the folder of package.json and package-lock.json
 * @returns the entries of package-lock.json by their path, without the project itself
 */
export function productPackages(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const paths = new Set(Object.keys(packages).filter((path) => path !== '' && !packages[path].dev));
  const wanted = importsOf(root)
    .filter((name) => isDirect(packages[''], name))
    .map((name) => `node_modules/${name}`);
  while (wanted.length > 0) {
    const path = wanted.pop();
    if (paths.has(path) || packages[path] === undefined) continue;
    paths.add(path);
    wanted.push(...needsOf(packages, path));
  }
  return new Map([...paths].sort().map((path) => [path, packages[path]]));
}

/** Names that these sources import, including those of imported libs. */
function importsOf(root) {
  const names = new Set();
  const folders = [...IN_BROWSERS];
  // The loop adds folders.
  for (const folder of folders) {
    for (const text of sourcesOf(join(root, folder))) {
      for (const [, name] of text.matchAll(IMPORT)) names.add(name);
      for (const [, lib] of text.matchAll(LIB)) {
        if (!folders.includes(`libs/${lib}/src`)) folders.push(`libs/${lib}/src`);
      }
    }
  }
  return [...names];
}

function sourcesOf(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .filter((name) => /\.(?:tsx?|js)$/.test(name) && !/spec\.tsx?$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

const isDirect = ({ dependencies = {}, devDependencies = {} }, name) =>
  Object.hasOwn(dependencies, name) || Object.hasOwn(devDependencies, name);

/** Paths of the packages that a package needs: the nearest first, as Node resolves them. */
function needsOf(packages, path) {
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = packages[path];
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  return [...Object.keys(dependencies), ...peers].flatMap((name) => {
    for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
      const found = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
      if (packages[found] !== undefined) return [found];
      if (at === '') return [];
    }
  });
}
