/** A field of a form; `value` fills a field that people need not touch. */
export interface Field {
  name: string;
  label: string;
  type: 'text' | 'email' | 'password' | 'hidden';
  value?: string;
  autocomplete?: string;
}

/** A form that makes one call of the API. */
export interface Form {
  title: string;
  /** Below the API base. */
  action: string;
  fields: readonly Field[];
  button: string;
  /** Shown after the call has succeeded. */
  done: string;
  /** Parameters that the same call from a terminal needs in addition to the fields: a browser has them in a cookie. */
  onlyForTerminal?: readonly string[];
}

/** A link that is not a call of the API. */
export interface PageLink {
  label: string;
  url: string;
}

export interface PageContent {
  title: string;
  paragraphs: readonly string[];
  links: readonly PageLink[];
  forms: readonly Form[];
  /** Address of the API, for the lines to copy. */
  apiUrl: string;
  /** Whether the page shows where to go from here. */
  isStart: boolean;
}
