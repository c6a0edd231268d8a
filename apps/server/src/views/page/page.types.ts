/** A field of a form; `value` is the value of a field that people need not change. */
export interface Field {
  name: string;
  label: string;
  type: 'text' | 'email' | 'password' | 'hidden';
  value?: string;
  autocomplete?: string;
}

/** A form that makes one API call. */
export interface Form {
  title: string;
  /** Path below the API base. */
  action: string;
  fields: readonly Field[];
  button: string;
  /** Shown after the call has succeeded. */
  done: string;
  /**
   * Parameters that the same call from a terminal needs in addition to the fields: a browser sends them as a cookie.
   */
  onlyForTerminal?: readonly string[];
}

/** A link that is not an API call. */
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
  /** True if the page shows links to other pages. */
  isStart: boolean;
}
