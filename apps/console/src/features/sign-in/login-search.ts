/** Parameters of the login page. */
export interface LoginSearch {
  /** Page to open after the login; see `returnPath`. */
  return_to?: string;
  /** Error code of a failed single sign-on. */
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
