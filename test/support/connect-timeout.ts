/**
 * While a test builds applications, its thread answers nothing for seconds on a busy machine. The usual timeout would
 * then end connections that the server has already accepted.
 */
export const CONNECT_TIMEOUT_SECONDS = 120;
