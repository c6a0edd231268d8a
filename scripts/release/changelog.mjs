/**
 * Functions on the text of CHANGELOG.md, in the form of keepachangelog.com 1.1.0
 * (`test/architecture/changelog.spec.ts`).
 */

import { posix } from 'node:path';

const UNRELEASED = '## [Unreleased]';
const LINK = /^\[unreleased\]: (\S+\/compare\/)(\S+)\.\.\.HEAD$/im;

/** The text below a heading `## …` up to the next one or the link references; undefined without such a heading. */
function below(text, heading) {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line === heading || line.startsWith(`${heading} - `));
  if (start === -1) return undefined;
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## ') || /^\[[^\]]+\]: /.test(line));
  return lines
    .slice(start + 1, length === -1 ? undefined : start + 1 + length)
    .join('\n')
    .trim();
}

/** Changes since the last release; may be empty. */
export const unreleased = (text) => below(text, UNRELEASED) ?? '';

/** Changes of a release; undefined if there is no such release. */
const sectionOf = (text, version) => below(text, `## [${version}]`);

/** The version of the newest release; undefined if there is none. */
export const newestRelease = (text) => /^## \[(\d[^\]]*)\]/m.exec(text)?.[1];

/**
 * Turns the unreleased changes into a release, adds an empty list for later changes, and updates link references if
 * there are any.
 * @param {string} text
 * @param {string} version
 * @param {string} date `YYYY-MM-DD`
 */
export function cut(text, version, date) {
  const released = text.replace(`${UNRELEASED}\n`, `${UNRELEASED}\n\n## [${version}] - ${date}\n`);
  return released.replace(
    LINK,
    (_line, compare, last) =>
      `[unreleased]: ${compare}v${version}...HEAD\n[${version}]: ${compare}${last}...v${version}`,
  );
}

/** Notes are read outside the repository, where relative links do not work, so the file is named instead. */
const withoutRelativeLinks = (text, folder) =>
  text.replace(/\[([^\]]+)\]\((?!\w+:)([^)#]*)(?:#[^)]*)?\)/g, (_link, label, path) =>
    path === '' ? label : `${label} (\`${posix.join(folder, path)}\`)`,
  );

/** Steps for operators for a version, from docs/guide/upgrading.md; empty if there are none. */
function upgradeNotes(upgrading, version) {
  const [, ...sections] = `\n${upgrading}`.split(/\n### /);
  const found = sections.find((section) => /^To (\S+)/.exec(section)?.[1] === version) ?? '';
  const [, ...lines] = found.split(/\n## /)[0].split('\n');
  return lines.join('\n').trim();
}

/**
 * The text of a release: its section of the changelog, and the steps for operators.
 * @param {string} changelog with a section for the version
 * @param {string} upgrading docs/guide/upgrading.md
 * @param {string} version
 */
export function releaseNotes(changelog, upgrading, version) {
  const parts = [
    `# Plumbline ${version}`,
    withoutRelativeLinks(sectionOf(changelog, version), ''),
    '### Upgrading',
    'Before you upgrade, read `docs/guide/upgrading.md`; the tarball contains it.',
    withoutRelativeLinks(upgradeNotes(upgrading, version), 'docs/guide'),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
