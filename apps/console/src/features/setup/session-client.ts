import { texts } from './account.texts';

/** Names of browsers and programs in a User-Agent. Those that others imitate are last. */
const CLIENTS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdgA?\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)(?:\.\d+)* (?:Mobile\/\w+ )?Safari\//, 'Safari'],
  [/^curl\/(\d+)/, 'curl'],
];

const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** `Firefox 140 on Linux` for the User-Agent of a client; an unknown one is returned unchanged. */
export function clientText(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return texts.unknown;
  for (const [pattern, name] of CLIENTS) {
    const version = pattern.exec(userAgent)?.[1];
    if (version === undefined) continue;
    const system = SYSTEMS.find(([mark]) => mark.test(userAgent))?.[1];
    return system === undefined ? `${name} ${version}` : texts.on(`${name} ${version}`, system);
  }
  return userAgent;
}
