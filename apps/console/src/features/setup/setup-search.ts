import { pageParam, withoutGaps, choiceParam } from '../../lib/search-params';
import { type Sender, SENDERS } from '../../lib/senders';

export const USER_STATES = ['active', 'invited', 'disabled'] as const;

/** Parameters of `/setup/people`. */
export interface PeopleSearch {
  page?: number;
  state?: (typeof USER_STATES)[number];
}

export const validatePeopleSearch = ({ page, state }: Record<string, unknown>): PeopleSearch =>
  withoutGaps({ page: pageParam(page), state: choiceParam(USER_STATES, state) });

/** Parameters of `/setup/tokens/new`. */
export interface NewTokenSearch {
  sender?: Sender;
}

export const validateNewTokenSearch = ({ sender }: Record<string, unknown>): NewTokenSearch =>
  withoutGaps({ sender: choiceParam(SENDERS, sender) });

const LONGEST_TEXT = 200;

const textParam = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= LONGEST_TEXT ? value : undefined;

/** Parameters of `/setup/organisation`. */
export interface OrganisationSearch {
  /** Chips of metrics that would be removed from the quota. */
  remove?: string[];
}

const MAX_CHIPS = 20;

export function validateOrganisationSearch({ remove }: Record<string, unknown>): OrganisationSearch {
  const chips = Array.isArray(remove) ? remove.flatMap((chip) => textParam(chip) ?? []).slice(0, MAX_CHIPS) : [];
  return chips.length === 0 ? {} : { remove: chips };
}

/** Parameters of `/setup/audit`; its window is that of the top bar. */
export interface AuditSearch {
  page?: number;
  /** Prefix of the action. */
  action?: string;
  object?: string;
  user?: number;
}

const LARGEST_ID = 2_147_483_647;

function idParam(value: unknown): number | undefined {
  const id = Number(value);
  return Number.isInteger(id) && id > 0 && id <= LARGEST_ID ? id : undefined;
}

export const validateAuditSearch = ({ page, action, object, user }: Record<string, unknown>): AuditSearch =>
  withoutGaps({ page: pageParam(page), action: textParam(action), object: textParam(object), user: idParam(user) });

/** Parameters of `/setup/configuration`. */
export interface ConfigurationSearch {
  format?: 'json';
}

export const validateConfigurationSearch = ({ format }: Record<string, unknown>): ConfigurationSearch =>
  format === 'json' ? { format } : {};

/** Parameters of `/setup/billing`. */
export interface BillingSearch {
  page?: number;
  /** The result of the checkout, in the return address from the payment provider. */
  checkout?: (typeof CHECKOUTS)[number];
}

const CHECKOUTS = ['success', 'cancel'] as const;

export const validateBillingSearch = ({ page, checkout }: Record<string, unknown>): BillingSearch =>
  withoutGaps({ page: pageParam(page), checkout: choiceParam(CHECKOUTS, checkout) });

/** Parameters of `/setup/status`. */
export interface StatusSearch {
  /** The page that a report is about. */
  about?: string;
}

const LONGEST_PAGE = 2000;

export const validateStatusSearch = ({ about }: Record<string, unknown>): StatusSearch =>
  typeof about === 'string' && about.startsWith('/') && about.length <= LONGEST_PAGE ? { about } : {};

/** Parameters of `/setup/removal`. */
export interface RemovalSearch {
  /** The metric that would be erased. */
  metric?: string;
}

const LONGEST_METRIC = 1024;

export const validateRemovalSearch = ({ metric }: Record<string, unknown>): RemovalSearch =>
  typeof metric === 'string' && metric !== '' && metric.length <= LONGEST_METRIC ? { metric } : {};
