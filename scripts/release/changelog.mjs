/** CHANGELOG.md as text in, text out; its form is that of keepachangelog.com 1.1.0 (`test/architecture/changelog.spec.ts`). */

import { posix } from 'node:path';

const UNRELEASED = '## [Unreleased]';
const LINK = /^\[unreleased\]: (\S+\/compare\/)(\S+)\.\.\.HEAD$/im;

/** The text below a heading `## …` up to the next one or the link references; undefined where there is no such heading. */
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

/** What changed since the last release; empty when nothing did. */
export const unreleased = (text) => below(text, UNRELEASED) ?? '';

/** What a release changed; undefined when there is no such release. */
const sectionOf = (text, version) => below(text, `## [${version}]`);

/** The version of the newest release; undefined when there was none. */
export const newestRelease = (text) => /^## \[(\d[^\]]*)\]/m.exec(text)?.[1];

/**
 * Makes a release of what is unreleased, and an empty list for what comes next; link references follow where there are any.
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

/** Notes are read outside the repository, where a relative link leads nowhere: its file is named instead. */
const withoutRelativeLinks = (text, folder) =>
  text.replace(/\[([^\]]+)\]\((?!\w+:)([^)#]*)(?:#[^)]*)?\)/g, (_link, label, path) =>
    path === '' ? label : `${label} (\`${posix.join(folder, path)}\`)`,
  );

/** What an operator does for a version, from docs/guide/upgrading.md; empty where that is nothing. */
function upgradeNotes(upgrading, version) {
  const [, ...sections] = `\n${upgrading}`.split(/\n### /);
  const found = sections.find((section) => /^To (\S+)/.exec(section)?.[1] === version) ?? '';
  const [, ...lines] = found.split(/\n## /)[0].split('\n');
  return lines.join('\n').trim();
}

/**
 * The text of a release: its section of the changelog, and what an operator does for it.
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
