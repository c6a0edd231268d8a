import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Request } from 'express';
import { isIngestPath } from '../../apps/server/src/common/http/api-paths.js';
import { contextOf, type EdgeRequest } from '../../apps/server/src/common/http/request-context.js';
import { listedErrors } from './listed-errors.js';

interface Description {
  paths: Readonly<
    Record<string, Readonly<Record<string, { responses: Record<string, object> } | undefined>> | undefined>
  >;
}

const DESCRIPTION = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../apps/server/openapi.json'), 'utf8'),
) as Description;

/**
 * Makes the close of an application fail if an answer had an error that the API description does not list for the call.
 */
export function refuseUnlistedErrors(app: NestExpressApplication): void {
  const unlisted = new Set<string>();
  app.use((request: Request, response: { json: (body: unknown) => unknown; statusCode: number }, next: () => void) => {
    const json = response.json.bind(response);
    response.json = (body) => {
      const code = (body as { data?: { error?: { code?: string } } } | null)?.data?.error?.code;
      if (code !== undefined && !isListed(request, response.statusCode, code)) {
        unlisted.add(`${request.method} ${request.path}: ${String(response.statusCode)} ${code}`);
      }
      return json(body);
    };
    next();
  });
  const close = app.close.bind(app);
  app.close = async () => {
    await close();
    if (unlisted.size > 0) throw new Error(`Errors that no @Throws names:\n${[...unlisted].join('\n')}`);
  };
}

/** Routes outside of the description count as listed, because tests also have their own controllers. */
function isListed(request: Request, status: number, code: string): boolean {
  const { route } = contextOf(request as EdgeRequest);
  if (!route || isIngestPath(route.path)) return true;
  const path = route.path.replace(/:(\w+)/g, '{$1}');
  const operation = DESCRIPTION.paths[path]?.[route.method.toLowerCase()];
  return operation?.responses.default === undefined || listedErrors(DESCRIPTION, operation, status).includes(code);
}
