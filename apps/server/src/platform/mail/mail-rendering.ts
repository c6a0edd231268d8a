import { escapeHtml } from '../../common/html.js';
import { type MailContent } from './mail.types.js';

/** The sender, named at the end of mails. */
export interface MailSender {
  /** Public address of the service. */
  url: string;
}

/** The two parts of a mail, with the same content. */
export interface RenderedMail {
  text: string;
  html: string;
}

/**
 * Renders both parts. The content is shown literally: nothing becomes markup, and only paragraphs and notes have more
 * than one line. Throws a TypeError for a button whose link is not http or https.
 */
export function renderMail(content: MailContent, sender: MailSender): RenderedMail {
  if (content.button !== undefined && !/^https?:\/\//.test(content.button.url)) {
    throw new TypeError('The button of a mail leads to an http or https address');
  }
  return { text: renderText(content, sender), html: renderHtml(content, sender) };
}

/** Returns the text as one line: line breaks and other control characters become a space. */
export function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
}

/** Maximum length of a text whose base64 fits into one encoded word of RFC 2047 (75 characters), in bytes. */
const ENCODED_WORD_BYTES = 45;

/**
 * A subject that mail programs show as it was written. A text with `=?` may look like an encoded word, which they would
 * decode into other text: such a subject is encoded as a whole. The mail library encodes all others.
 */
export function plainSubject(text: string): string {
  const subject = oneLine(text);
  if (!subject.includes('=?')) return subject;
  const chunks: Buffer[] = [Buffer.alloc(0)];
  for (const character of subject) {
    const bytes = Buffer.from(character);
    const last = chunks.at(-1)!;
    if (last.length + bytes.length > ENCODED_WORD_BYTES) chunks.push(bytes);
    else chunks[chunks.length - 1] = Buffer.concat([last, bytes]);
  }
  return chunks.map((chunk) => `=?UTF-8?B?${chunk.toString('base64')}?=`).join(' ');
}

function linesOf(paragraph: string): string[] {
  return paragraph.split(/\r\n|\r|\n/).map(oneLine);
}

function renderText(content: MailContent, sender: MailSender): string {
  const heading = oneLine(content.heading);
  const blocks = [
    `${heading}\n${'='.repeat(Math.min(heading.length, 70))}`,
    ...content.paragraphs.map((paragraph) => linesOf(paragraph).join('\n')),
  ];
  if (content.code !== undefined) blocks.push(`    ${oneLine(content.code)}`);
  if (content.facts !== undefined && content.facts.length > 0) {
    blocks.push(content.facts.map(([name, value]) => `${oneLine(name)}: ${oneLine(value)}`).join('\n'));
  }
  if (content.button !== undefined) blocks.push(`${oneLine(content.button.label)}:\n${content.button.url}`);
  for (const note of content.notes ?? []) blocks.push(linesOf(note).join('\n'));
  // Mail programs recognise this as the start of a signature, and show it separately.
  blocks.push(`-- \nSent by Plumbline, ${sender.url}`);
  return `${blocks.join('\n\n')}\n`;
}

const line = (text: string): string => escapeHtml(oneLine(text));
const lines = (paragraph: string): string => linesOf(paragraph).map(escapeHtml).join('<br>');

/*
 * Styles are inline because many mail programs drop style sheets; the sheet contains only what cannot be inline, the
 * dark colours. Programs that support neither show plain paragraphs in reading order.
 */
const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const P = 'margin:0 0 16px;overflow-wrap:anywhere';
const DARK = `@media (prefers-color-scheme:dark){
.page{background:#12161c!important}.card{background:#1c222b!important;color:#e6e9ee!important}
.faint{color:#a3adba!important}.code{background:#2a323e!important;color:#ffffff!important}
.button{background:#4c8dff!important;color:#0b0f14!important}.link{color:#8ab4ff!important}}`;

function renderHtml(content: MailContent, sender: MailSender): string {
  const parts = [
    `<h1 style="margin:0 0 20px;font-size:22px;line-height:1.3;overflow-wrap:anywhere">${line(content.heading)}</h1>`,
    ...content.paragraphs.map((paragraph) => `<p style="${P}">${lines(paragraph)}</p>`),
  ];
  if (content.code !== undefined) {
    parts.push(
      `<p class="code" style="margin:0 0 20px;padding:14px 18px;background:#eef1f5;border-radius:6px;font-family:ui-monospace,Consolas,monospace;font-size:26px;letter-spacing:4px;overflow-wrap:anywhere">${line(content.code)}</p>`,
    );
  }
  for (const [name, value] of content.facts ?? []) {
    parts.push(
      `<p style="margin:0 0 6px;overflow-wrap:anywhere"><span class="faint" style="color:#5b6675">${line(name)}:</span> ${line(value)}</p>`,
    );
  }
  if (content.button !== undefined) {
    const { label } = content.button;
    const url = escapeHtml(content.button.url);
    parts.push(
      `<p style="margin:24px 0 16px"><a class="button" href="${url}" style="display:inline-block;padding:12px 22px;border-radius:6px;background:#1657c9;color:#ffffff;font-weight:600;text-decoration:none">${line(label)}</a></p>`,
      `<p class="faint" style="${P};font-size:13px;color:#5b6675">Or open this address:<br><a class="link" href="${url}" style="color:#1657c9">${url}</a></p>`,
    );
  }
  for (const note of content.notes ?? []) {
    parts.push(`<p class="faint" style="${P};font-size:13px;color:#5b6675">${lines(note)}</p>`);
  }
  const home = escapeHtml(sender.url);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${line(content.heading)}</title>
<style>${DARK}</style>
</head>
<body class="page" style="margin:0;padding:24px 12px;background:#f3f5f8;${FONT}">
<div class="card" style="max-width:560px;margin:0 auto;padding:28px;background:#ffffff;color:#1a2029;border-radius:8px;font-size:16px;line-height:1.5">
${parts.join('\n')}
<p class="faint" style="margin:28px 0 0;font-size:13px;color:#5b6675">Sent by Plumbline, <a class="link" href="${home}" style="color:#1657c9">${home}</a></p>
</div>
</body>
</html>
`;
}
