export { ApiError, type ApiProblem } from './api-error.js';
export { createApiClient, type ApiClient, unwrap } from './client.js';
export { type components, type operations, type paths } from './schema.js';
