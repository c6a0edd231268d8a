export { JoinedCalls, type JoinedCallsOptions } from './joined-calls.js';
