/**
 * The content of a mail, as plain text; both parts of the mail are rendered from it, and no part of it is read as HTML.
 */
export interface MailContent {
  heading: string;
  /** A line feed inside a paragraph is kept. */
  paragraphs: readonly string[];
  /** The link to follow; an http or https address. */
  button?: { label: string; url: string };
  /** Something to be typed elsewhere, shown large. */
  code?: string;
  /** Names and values, one a line. */
  facts?: readonly (readonly [string, string])[];
  /** Small print at the end. */
  notes?: readonly string[];
}

export interface Mail {
  /** One address, such as `ann@example.org`. */
  to: string;
  subject: string;
  content: MailContent;
  /** Organisation that it is sent for; its waiting mails are deleted with it. Null: of the installation. */
  orgId: number | null;
  /** Of the mails of an organisation with the same key one is sent, for 30 days. Only for `queue`. */
  key?: string;
  /** Seconds after which the mail is of no use and no longer sent, as with a link that is over. Only for `queue`. */
  validSeconds?: number;
}
