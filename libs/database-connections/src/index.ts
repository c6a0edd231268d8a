export { type LastingConnection, lastingConnection } from './lasting-connection.js';
export { clientThatWaits } from './waiting-client.js';
