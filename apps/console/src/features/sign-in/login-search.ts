/** Parameters of the login page. */
export interface LoginSearch {
  /** Page to go to after it; see `returnPath`. */
  return_to?: string;
  /** Code of a single sign-on that failed. */
  error?: string;
  view?: 'forgot';
}

export function validateLoginSearch({ return_to: returnTo, error, view }: Record<string, unknown>): LoginSearch {
  return {
    ...(typeof returnTo === 'string' ? { return_to: returnTo } : {}),
    ...(typeof error === 'string' ? { error } : {}),
    ...(view === 'forgot' ? { view } : {}),
  };
}
