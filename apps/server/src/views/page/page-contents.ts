import { ERROR_STATUS } from '#libs/contracts';
import { CONSOLE_PATHS } from '../../platform/mail/console-paths.types.js';
import { type NoPage } from './docs-site.js';
import { type Field, type Form, type PageContent, type PageLink } from './page.types.js';

/** Row ids only: nothing else is inserted into a page. */
const PLACE = /^\/(anomaly|incident)\/([1-9]\d{0,17})$/;
const ID = /^[1-9]\d{0,17}$/;

/**
 * Secrets of mailed links: nothing else is inserted into a page, least of all into a line that people copy to a shell.
 */
const TOKEN = /^[A-Za-z0-9_-]{16,100}$/;
const CODE = /^[0-9]{6}$/;
const EMAIL = /^[A-Za-z0-9.+_-]+@[A-Za-z0-9.-]+$/;

const NEW_PASSWORD = 'new-password';
const RULES = 'A password has at least 12 characters and is not one of the common ones.';
const USED_UP = 'The link of this page lacks its token, or was truncated: open the complete link from the mail.';

/** The page of a console path; for an unknown path, the start page. `sso`: true if it is configured. */
export function contentOf(
  path: string,
  parameters: URLSearchParams,
  apiUrl: string,
  sso: PageLink | null,
): PageContent {
  const given = (name: string, form: RegExp): string | undefined => {
    const value = parameters.get(name) ?? '';
    return form.test(value) && value.length <= 254 ? value : undefined;
  };
  const token = given('token', TOKEN);
  const page = (title: string, paragraphs: readonly string[], forms: readonly Form[]): PageContent => {
    return { title, paragraphs, links: [], forms, apiUrl, isStart: false };
  };
  const needsToken = token === undefined ? [USED_UP] : [];
  switch (path.replace(/(.)\/$/, '$1')) {
    case CONSOLE_PATHS.verify:
      return page('Set your password', [...needsToken, RULES], [verifyForm(given('email', EMAIL), token)]);
    case CONSOLE_PATHS.resetPassword:
      return page('Set a new password', [...needsToken, RULES, 'All sessions end.'], [resetForm(token)]);
    case CONSOLE_PATHS.validateLogin: {
      const text = 'The code of the mail is valid for 10 minutes. Continue only if it was you who logged in.';
      return page('Finish the login', [text], [codeForm(given('code', CODE), token)]);
    }
    case CONSOLE_PATHS.confirmEmail: {
      const text = 'Confirm that this address is yours; it then becomes the address of your account.';
      return page('Confirm your e-mail address', [...needsToken, text], [confirmForm(token)]);
    }
    case CONSOLE_PATHS.login:
      return {
        ...page('Log in', loginTexts(parameters.get('error')), [
          loginForm(),
          codeForm(undefined, undefined),
          forgotForm(),
        ]),
        links: sso === null ? [] : [sso],
      };
    default:
      return alertPageOf(path, parameters, apiUrl) ?? startPage(apiUrl);
  }
}

/** The HTML page for a path below /docs without a document. */
export function noDocument(why: NoPage, apiUrl: string, start: string): PageContent {
  const texts = {
    unknown: {
      title: 'There is no such page in the documentation',
      paragraphs: ['The documents are those of this version; a page of another version may be missing here.'],
      links: [{ label: 'All documents', url: start }],
    },
    'not built': {
      title: 'The documentation was not built',
      paragraphs: ['Run "npm run build:docs" where Plumbline is installed, and start it again. "npm start" does both.'],
      links: [],
    },
  };
  return { ...texts[why], forms: [], apiUrl, isStart: false };
}

function startPage(apiUrl: string): PageContent {
  return { title: 'Plumbline', paragraphs: START_TEXTS, links: [], forms: [], apiUrl, isStart: true };
}

const START_TEXTS = [
  'Plumbline runs. This version has no console: use it through its API.',
  'A program authenticates with a token. The first start prints two; an administrator creates more.',
];

/** The message in the address is not shown: anyone can create a link with a message. */
function loginTexts(error: string | null): string[] {
  if (error === null) return [];
  const isKnown = Object.hasOwn(ERROR_STATUS, error);
  return [
    `The login at the identity provider failed${isKnown ? ` (${error})` : ''}. Try again, or ask an administrator.`,
  ];
}

function verifyForm(email: string | undefined, token: string | undefined): Form {
  return {
    title: '',
    action: '/signup/verify',
    fields: [
      { name: 'email', label: 'E-mail address', type: 'email', value: email, autocomplete: 'username' },
      tokenField('verification_token', token),
      { name: 'password_1', label: 'Password', type: 'password', autocomplete: NEW_PASSWORD },
      { name: 'password_2', label: 'The same again', type: 'password', autocomplete: NEW_PASSWORD },
    ],
    button: 'Set the password and log in',
    done: 'The password is set, and you are logged in.',
  };
}

function resetForm(token: string | undefined): Form {
  return {
    title: '',
    action: '/login/resetpassword',
    fields: [
      tokenField('token', token),
      { name: 'new_password_1', label: 'New password', type: 'password', autocomplete: NEW_PASSWORD },
      { name: 'new_password_2', label: 'The same again', type: 'password', autocomplete: NEW_PASSWORD },
    ],
    button: 'Set the password',
    done: 'The password is set. Log in with it.',
  };
}

function codeForm(code: string | undefined, token: string | undefined): Form {
  return {
    title: code === undefined ? 'Enter a code' : '',
    action: '/login/validateclient',
    fields: [
      { name: 'code', label: 'Code of the mail', type: 'text', value: code, autocomplete: 'one-time-code' },
      ...(token === undefined ? [] : [tokenField('token', token)]),
    ],
    button: 'Finish the login',
    done: 'You are logged in.',
    onlyForTerminal: token === undefined ? ['token'] : [],
  };
}

function confirmForm(token: string | undefined): Form {
  return {
    title: '',
    action: '/user/confirmemail',
    fields: [tokenField('token', token)],
    button: 'Confirm the address',
    done: 'The address is confirmed.',
  };
}

function loginForm(): Form {
  return {
    title: '',
    action: '/login',
    fields: [
      { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' },
      { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' },
    ],
    button: 'Log in',
    done: 'The password is right. When a code was mailed to you, enter it below; otherwise you are logged in.',
  };
}

function forgotForm(): Form {
  return {
    title: 'Forgotten your password?',
    action: '/login/forgotpassword',
    fields: [{ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' }],
    button: 'Mail me a link',
    done: 'If there is an account with this address, a link is on its way.',
  };
}

/** The link contains the value, so the field is hidden; without it people can paste it. */
function tokenField(name: string, token: string | undefined): Field {
  return { name, label: 'Token of the link', type: token === undefined ? 'text' : 'hidden', value: token };
}

/**
 * The pages that alerts link to: to acknowledge an anomaly or the whole incident, or to train it. Null for any other
 * path.
 */
function alertPageOf(path: string, parameters: URLSearchParams, apiUrl: string): PageContent | null {
  const [, kind, id] = PLACE.exec(path) ?? [];
  if (kind === undefined || id === undefined) return null;
  const isIncident = kind === 'incident';
  const given = parameters.get('anomaly_id') ?? '';
  const anomalyId = isIncident ? (ID.test(given) ? given : null) : id;
  const title = `${isIncident ? 'Incident' : 'Anomaly'} ${id}`;
  const paragraphs = [
    'What you do here is done under your account: log in first, in this browser.',
    `Full details: GET ${apiUrl}${isIncident ? `/incidents/${id}` : `/anomaly/${id}`}`,
  ];
  const forms = anomalyId === null ? [] : [acknowledgeForm(anomalyId, isIncident), trainForm(anomalyId, isIncident)];
  return { title, paragraphs, links: [{ label: 'Log in', url: '/login' }], forms, apiUrl, isStart: false };
}

function acknowledgeForm(anomalyId: string, isIncident: boolean): Form {
  return {
    title: 'Acknowledge it',
    action: `/anomaly/${anomalyId}/acknowledge`,
    fields: [{ name: 'incident', label: '', type: 'hidden', value: String(isIncident) }],
    button: isIncident ? 'Acknowledge all of the incident' : 'Acknowledge',
    done: 'It is acknowledged: no further alerts until it has ended.',
    onlyForTerminal: ['session_id'],
  };
}

function trainForm(anomalyId: string, isIncident: boolean): Form {
  return {
    title: isIncident ? `The worst of it, anomaly ${anomalyId}, is expected` : 'It is expected',
    action: '/anomaly/train',
    fields: [{ name: 'anomaly_id', label: '', type: 'hidden', value: anomalyId }],
    button: 'Train it',
    done: 'It is trained: similar shapes no longer alert.',
    onlyForTerminal: ['session_id'],
  };
}
