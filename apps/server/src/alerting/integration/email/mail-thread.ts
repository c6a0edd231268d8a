import { type AlertContent } from '#libs/alerting';
import { oneLine } from './alert-mail.js';

/** What later mails about the same subject refer to. */
export interface MailThread {
  /** With its angle brackets. */
  messageId: string;
  subject: string;
}

export const writeThread = ({ messageId, subject }: MailThread): string => `${messageId} ${oneLine(subject)}`;

/** Null for a text that `writeThread` did not write. */
export function readThread(text: string | null): MailThread | null {
  const found = /^(<[^<>\s]+>) (.*)$/.exec(text ?? '');
  return found === null ? null : { messageId: found[1]!, subject: found[2]! };
}

const PREFIXES = {
  opened: '',
  updated: '[Update] ',
  acknowledged: '[Acknowledged] ',
  recovered: '[Recovered] ',
} as const;

/**
 * Later mails keep the subject of the first one behind a word in brackets: mail programs that group by subject leave such
 * words out (base subject of RFC 5256), and the reader sees at a glance what is over.
 */
export function subjectOf(content: AlertContent, thread: MailThread | null): string {
  return thread === null ? oneLine(content.title) : PREFIXES[content.phase] + thread.subject;
}
