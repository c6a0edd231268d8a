import { type AlertContent, type AlertEntry, clockText, type ItemLine, layoutOf } from '#libs/alerting';
import { namePieces } from '#libs/wording';
import { escapeHtml } from '../../../common/html.js';

/** The subject in the inbox, and both parts of the mail, which have the same content. */
export interface RenderedAlertMail {
  text: string;
  html: string;
}

export interface AlertMailContext {
  /** Content-Id of the inline picture; null if the mail has none. */
  pictureCid: string | null;
  /** Public address of the service. */
  home: string;
  /** The page with the settings of recipients and frequency of such mails; null if there are no settings. */
  settings: string | null;
}

const CHANGE = 'Change or stop these mails';
/** More are in the console: mails are read on phones. */
const MAX_ITEMS = 10;

/** Drawn for the width of a phone, so that its text is readable there; sharp enough to be enlarged. */
export const MAIL_PICTURE = { width: 440, height: 190, scale: 2.5 } as const;
/** Width of the column of text. */
const COLUMN = 560;

/** Renders both parts. The content is shown literally: nothing becomes markup. */
export function renderAlertMail(content: AlertContent, context: AlertMailContext): RenderedAlertMail {
  return { text: renderText(content, context), html: renderHtml(content, context) };
}

/** Returns the text as one line: line breaks and other control characters become a space. */
export function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
}

function renderText(content: AlertContent, { home, settings }: AlertMailContext): string {
  const layout = layoutOf(content, MAX_ITEMS);
  const title = oneLine(content.title);
  const blocks = [`${title}\n${'='.repeat(Math.min(title.length, 70))}`];
  if (layout.notice !== null) blocks.unshift(`*** ${layout.notice} ***`);
  blocks.push(oneLine(content.summary));
  if (layout.rows.length > 0) {
    blocks.push(layout.rows.map(([name, value]) => `${oneLine(name)}: ${oneLine(value)}`).join('\n'));
  }
  const items = layout.items.map(({ name, detail }) => `- ${oneLine(name)}\n  ${oneLine(detail)}`);
  if (layout.more !== null) items.push(`- ${layout.more}`);
  if (items.length > 0) blocks.push(items.join('\n'));
  const entries = (content.entries ?? []).map((entry) => textOfEntry(entry, content.timezone));
  if (entries.length > 0) blocks.push(entries.join('\n'));
  for (const { label, url } of layout.actions) blocks.push(`${label}:\n${url}`);
  // Mail programs recognise this as the start of a signature, and show it separately.
  const change = settings === null ? '' : `\n${CHANGE}: ${settings}`;
  blocks.push(`-- \n${oneLine(layout.footer)}${change}\nSent by Plumbline, ${home}`);
  return `${blocks.join('\n\n')}\n`;
}

function textOfEntry({ timestamp, severityLabel, text, url }: AlertEntry, timezone: string): string {
  const lines = [`- ${clockText(timestamp, timezone, 0)}, ${severityLabel}: ${oneLine(text)}`];
  if (url !== null) lines.push(`  ${url}`);
  return lines.join('\n');
}

const line = (text: string): string => escapeHtml(oneLine(text));

/** Names of metrics are long words: adds the positions where they may break. */
const names = (text: string): string => namePieces(oneLine(text)).map(escapeHtml).join('<wbr>');

/** Light and dark; the light style is in the elements, as many programs drop style sheets. */
const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const WRAP = 'overflow-wrap:anywhere;word-break:break-word';
const FAINT = 'color:#5b6675';
const LINK = 'color:#1657c9';

const SHEET = `:root{color-scheme:light dark}
@media (max-width:480px){.page{padding:0!important}.card{border-radius:0!important;padding:20px 16px 24px!important}
.title{font-size:19px!important}.button{display:block!important;text-align:center}.second{display:block!important;margin:14px 0 0!important;text-align:center}}
@media (prefers-color-scheme:dark){
.page{background:#12161c!important}.card{background:#1c222b!important;color:#e6e9ee!important}
.faint{color:#a3adba!important}.line{border-color:#323b48!important}.notice{background:#3d3415!important;color:#ffe9a8!important}
.button{background:#4c8dff!important;color:#0b0f14!important}.link{color:#8ab4ff!important}
.critical{color:#ff8f8f!important}.major{color:#ffb26b!important}.minor{color:#e8cf6a!important}.info{color:#a3adba!important}}`;

/** The colour of the bar at the top, which is seen first. */
const BAR = { critical: '#c62828', major: '#e07000', minor: '#c9a400', info: '#5b6675' } as const;
const RECOVERED = '#2e8b57';
const LABEL = { critical: '#b3261e', major: '#b35900', minor: '#7a6400', info: '#5b6675' } as const;

function renderHtml(content: AlertContent, { pictureCid, home, settings }: AlertMailContext): string {
  const layout = layoutOf(content, MAX_ITEMS);
  const title = line(content.title);
  const parts: string[] = [];
  if (layout.notice !== null) {
    parts.push(
      `<p class="notice" style="margin:0 0 18px;padding:10px 14px;background:#fff4cc;color:#5c4500;border-radius:6px;font-weight:600">${line(layout.notice)}</p>`,
    );
  }
  parts.push(
    `<h1 class="title" style="margin:0 0 12px;font-size:21px;line-height:1.3;${WRAP}">${names(content.title)}</h1>`,
    `<p style="margin:0 0 18px;${WRAP}">${names(content.summary)}</p>`,
  );
  if (pictureCid !== null) parts.push(picture(content, pictureCid));
  if (layout.rows.length > 0) parts.push(table(layout.rows));
  if (layout.items.length > 0) parts.push(list([...layout.items.map(itemHtml), ...moreHtml(layout.more)]));
  if (content.entries !== undefined && content.entries.length > 0) {
    parts.push(list(content.entries.map((entry) => entryHtml(entry, content.timezone))));
  }
  parts.push(actions(layout.actions));
  const change = settings === null ? '' : `${linked(settings, CHANGE)}<br>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>${SHEET}</style>
</head>
<body class="page" style="margin:0;padding:24px 12px;background:#f3f5f8;${FONT}">
<div style="display:none;max-height:0;overflow:hidden">${line(content.summary)}</div>
<div class="card" style="max-width:${String(COLUMN)}px;margin:0 auto;padding:24px 28px 28px;background:#ffffff;color:#1a2029;border-radius:8px;border-top:5px solid ${barOf(content)};font-size:16px;line-height:1.5">
${parts.join('\n')}
<p class="faint" style="margin:26px 0 0;font-size:13px;${WRAP};${FAINT}">${line(layout.footer)}<br>${change}Sent by Plumbline, ${linked(home, home)}</p>
</div>
</body>
</html>
`;
}

const linked = (url: string, text: string): string =>
  `<a class="link" href="${escapeHtml(url)}" style="${LINK}">${line(text)}</a>`;

function barOf({ phase, isClosed, severityLabel, kind }: AlertContent): string {
  if (phase === 'recovered') return isClosed === true ? BAR.info : RECOVERED;
  if (severityLabel !== null) return BAR[severityLabel];
  return kind === 'admin' ? BAR.major : BAR.info;
}

function picture({ items, links }: AlertContent, cid: string): string {
  const height = Math.round((COLUMN * MAIL_PICTURE.height) / MAIL_PICTURE.width);
  const name = line(items[0]?.metric ?? '');
  const image = `<img src="cid:${cid}" width="${String(COLUMN)}" height="${String(height)}" alt="Graph of ${name}" style="display:block;width:100%;max-width:${String(COLUMN)}px;height:auto;border-radius:6px">`;
  const linked = links.graph === null ? image : `<a href="${escapeHtml(links.graph)}">${image}</a>`;
  return `<p style="margin:0 0 18px">${linked}</p>`;
}

function table(rows: readonly (readonly [string, string])[]): string {
  const cells = rows.map(
    ([name, value]) =>
      `<tr><td class="faint" valign="top" style="padding:3px 14px 3px 0;white-space:nowrap;font-size:14px;${FAINT}">${line(name)}</td><td valign="top" style="padding:3px 0;font-size:14px;${WRAP}">${names(value)}</td></tr>`,
  );
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 18px;border-collapse:collapse">${cells.join('')}</table>`;
}

function list(entries: readonly string[]): string {
  const rows = entries.map(
    (entry) =>
      `<div class="line" style="padding:9px 0;border-top:1px solid #e3e7ec;font-size:14px;${WRAP}">${entry}</div>`,
  );
  return `<div style="margin:0 0 18px">${rows.join('\n')}</div>`;
}

const labelled = (label: keyof typeof LABEL): string =>
  `<span class="${label}" style="font-weight:600;color:${LABEL[label]}">${label}</span>`;

const itemHtml = ({ name, detail, severityLabel }: ItemLine): string =>
  `<b style="font-weight:600">${names(name)}</b><br>${labelled(severityLabel)} <span class="faint" style="${FAINT}">· ${line(detail)}</span>`;

const moreHtml = (more: string | null): string[] =>
  more === null ? [] : [`<span class="faint" style="${FAINT}">${line(more)}</span>`];

function entryHtml({ timestamp, severityLabel, text, url }: AlertEntry, timezone: string): string {
  const what = url === null ? line(text) : linked(url, text);
  return `${labelled(severityLabel)} <span class="faint" style="${FAINT}">· ${line(clockText(timestamp, timezone, 0))}</span><br>${what}`;
}

function actions(all: readonly { label: string; url: string }[]): string {
  const [first, ...others] = all;
  if (first === undefined) return '';
  const button = `<a class="button" href="${escapeHtml(first.url)}" style="display:inline-block;padding:11px 20px;border-radius:6px;background:#1657c9;color:#ffffff;font-weight:600;text-decoration:none">${line(first.label)}</a>`;
  const links = others.map(
    ({ label, url }) =>
      `<a class="link second" href="${escapeHtml(url)}" style="display:inline-block;margin:0 0 0 18px;${LINK}">${line(label)}</a>`,
  );
  return `<p style="margin:22px 0 0">${[button, ...links].join('')}</p>`;
}
