import { ApiError, createApiClient, unwrap, type components } from '#libs/client';
import { takePrefetched } from './ahead';
import { noteAnswer } from './server-unavailable';

/** The API of the server that served this page; the session is a cookie that scripts cannot read. */
export const api = createApiClient({
  baseUrl: '',
  fetch: (request) => noteAnswer(takePrefetched(request) ?? fetch(request)),
});

export { ApiError, unwrap };

/** A record of the API by the name of its schema: `Schema<'AnomalyDto'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];
