import { allowedValues } from './load-config.js';
import { type ConfigClass, type Setting, settingsOf } from './setting.decorator.js';

const HEAD = `# Configuration

Settings are environment variables; an empty one counts as not set. The process checks all of them when it starts. If some
are wrong, it lists them and does not start. \`npm run config:doc\` writes this page from the classes that read the settings.
`;

/** docs/configuration.md: one table per configuration class. */
export function configurationDocument(classes: readonly ConfigClass[]): string {
  return [HEAD, ...classes.map(section)].join('\n');
}

function section(configClass: ConfigClass): string {
  const defaults = new configClass() as Record<string, unknown>;
  return [
    `## ${titleOf(configClass)}`,
    '',
    '| Setting | Default | Values | Meaning |',
    '|---|---|---|---|',
    ...settingsOf(configClass).map((setting) => row(setting, defaults[setting.field])),
    '',
  ].join('\n');
}

/** `RateLimitConfig` -> `Rate limit` */
function titleOf(configClass: ConfigClass): string {
  const words = configClass.name.replace(/Config$/, '').split(/(?=[A-Z])/);
  return words.map((word, index) => (index === 0 ? word : word.toLowerCase())).join(' ');
}

function row(setting: Setting, value: unknown): string {
  const meaning = setting.secret ? `${setting.sentence} Secret.` : setting.sentence;
  const cells = [`\`${setting.env}\``, setting.defaultText ?? defaultText(value), allowedValues(setting), meaning];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function defaultText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : `\`${value.join(',')}\``;
  switch (typeof value) {
    case 'boolean':
      return value ? '`on`' : '`off`';
    case 'number':
    case 'string':
      return `\`${String(value)}\``;
    default:
      return 'none';
  }
}
