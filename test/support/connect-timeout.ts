/**
 * While a test builds applications, its only thread answers nothing else for seconds on a busy machine; the usual time-out
 * would then end connections that the server has long accepted.
 */
export const CONNECT_TIMEOUT_SECONDS = 120;
