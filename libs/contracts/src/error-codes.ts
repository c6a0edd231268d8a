/** Error codes of the API and the HTTP status each is answered with. A code is never reused for another meaning. */
export const ERROR_STATUS = {
  validation_failed: 400,
  malformed_body: 400,
  verification_failed: 400,
  not_authenticated: 401,
  session_expired: 401,
  token_expired: 401,
  login_failed: 401,
  code_invalid: 401,
  signature_invalid: 401,
  permission_denied: 403,
  demo_account: 403,
  session_required: 403,
  cross_site_refused: 403,
  signup_closed: 403,
  not_found: 404,
  method_not_allowed: 405,
  already_exists: 409,
  email_taken: 409,
  already_trained: 409,
  wrong_type: 409,
  last_admin: 409,
  limit_reached: 409,
  not_finished: 409,
  state_conflict: 409,
  expired: 410,
  too_large: 413,
  unsupported_media_type: 415,
  not_enough_data: 422,
  not_trainable: 422,
  address_not_allowed: 422,
  rate_limited: 429,
  internal_error: 500,
  not_implemented: 501,
  upstream_failed: 502,
  not_configured: 503,
  not_ready: 503,
  overloaded: 503,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

/** Why an anomaly cannot be trained. */
export const UNTRAINABLE_REASONS = [
  'expired',
  'trained',
  'pending',
  'too_new',
  'not_enough_data',
  'excluded',
  'not_permitted',
  'not_recorded',
] as const;

/** Codes of one problem inside `data.error.details`. */
export type DetailCode =
  | 'required'
  | 'not_integer'
  | 'not_number'
  | 'not_boolean'
  | 'not_list'
  | 'not_object'
  | 'too_short'
  | 'too_long'
  | 'out_of_range'
  | 'not_one_of'
  | 'bad_format'
  | 'bad_chip'
  | 'too_broad'
  | 'too_many'
  | 'too_few'
  | 'unknown_parameter'
  | 'duplicate_parameter'
  | 'body_only'
  | 'read_only'
  | 'mismatch'
  | 'weak_password'
  | 'from_not_before_until'
  | 'window_too_long'
  | 'unknown_user'
  | 'user_lacks_phone'
  | 'user_lacks_chat_member'
  | 'unknown_channel'
  | 'unknown_timezone'
  | 'unknown_model'
  | 'not_connected'
  | 'address_not_allowed'
  | 'secret_needed'
  | 'exactly_one'
  | 'missing'
  | (typeof UNTRAINABLE_REASONS)[number];

/** Why a sent point was not taken. The first two are policy, the others are invalid input. */
export const REFUSAL_REASONS = [
  'over_quota',
  'excluded',
  'bad_name',
  'too_old',
  'in_future',
  'not_finite',
  'not_numeric',
  'bad_timestamp',
  'too_many_labels',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];
