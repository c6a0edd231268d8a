/**
 * The content of a mail, as plain text; both parts of the mail are rendered from it, and nothing in it is interpreted
 * as HTML.
 */
export interface MailContent {
  heading: string;
  /** Line feeds inside a paragraph are preserved. */
  paragraphs: readonly string[];
  /** The link to follow; an http or https address. */
  button?: { label: string; url: string };
  /** A code to type elsewhere, shown large. */
  code?: string;
  /** Names and values, one pair per line. */
  facts?: readonly (readonly [string, string])[];
  /** Small print at the end. */
  notes?: readonly string[];
}

export interface Mail {
  /** One address, such as `ann@example.org`. */
  to: string;
  subject: string;
  content: MailContent;
  /** Organisation of the mail; its waiting mails are deleted with it. Null: the installation. */
  orgId: number | null;
  /** Only one mail per key and organisation is sent within 30 days. Only for `queue`. */
  key?: string;
  /**
   * Seconds after which the mail is useless and no longer sent, such as a mail with an expired link. Only for `queue`.
   */
  validSeconds?: number;
}
