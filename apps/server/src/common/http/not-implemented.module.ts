import { Controller, Delete, Get, Module, Post, Put, type Type } from '@nestjs/common';
import { ApiExtension, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import {
  Public,
  RequireAnyPermission,
  RequirePermissions,
  RequirePermissionsOrSignature,
  SessionOnly,
  SideEffect,
} from '../auth/access.decorators.js';
import { Fetch, FETCH_ROUTE } from './fetch.decorator.js';
import { NotImplementedYetError } from './http.errors.js';
import { PENDING_TEXTS } from './not-implemented-texts.js';
import { NOT_IMPLEMENTED, type PendingPermission, type PendingRoute } from './not-implemented.js';

/** Marks a call of the API description that answers 501. */
export const NOT_IMPLEMENTED_EXTENSION = 'x-not-implemented';

const NOT_YET = '**Not implemented yet:** this version checks the credential and answers 501 `not_implemented`.';

/** Tags whose name is not the first segment of the path. */
const TAG_OF_SEGMENT: Readonly<Record<string, string | undefined>> = {
  incidents: 'incident',
  js: 'ingest',
  metrics: 'metric',
  patterns: 'pattern',
  sources: 'source',
  stream: 'org',
  tunings: 'tuning',
  watchers: 'watcher',
};

const METHOD_DECORATORS: Readonly<Record<PendingRoute['method'], (path: string) => MethodDecorator>> = {
  GET: Get,
  POST: Post,
  PUT: Put,
  DELETE: Delete,
  FETCH: Fetch,
  OLD_FORM: Fetch,
  OLD_FORM_GET: Get,
};

const ACCESS: Readonly<Record<PendingPermission, MethodDecorator>> = {
  none: Public(),
  read: RequirePermissions(Permission.Read),
  'read*': RequirePermissionsOrSignature(Permission.Read),
  'read|write': RequireAnyPermission(Permission.Read, Permission.Write),
  write: RequirePermissions(Permission.Write),
  alert: RequirePermissions(Permission.Alert),
  ingest: RequirePermissions(Permission.Ingest),
  admin: RequirePermissions(Permission.Admin),
  'alert|admin': RequireAnyPermission(Permission.Alert, Permission.Admin),
  session: SessionOnly(),
  'session, demo too': SessionOnly({ demo: true }),
};

/** A controller with one handler per pending route, so that guards, limits, Allow and OPTIONS treat it like any other. */
function controllerFor(routes: readonly PendingRoute[]): Type {
  @Controller()
  class NotImplementedController {}
  const prototype: object = NotImplementedController.prototype;
  for (const route of routes) {
    const name = `${route.method} ${route.path}`;
    const handler = (): never => {
      throw new NotImplementedYetError();
    };
    const descriptor = { value: handler, configurable: true, writable: true };
    const decorators = [ACCESS[route.permission], ...documentationOf(route)];
    if (route.method === 'OLD_FORM' || route.method === 'OLD_FORM_GET') decorators.push(SideEffect());
    if (route.isFetch === true) Reflect.defineMetadata(FETCH_ROUTE, true, handler);
    decorators.push(METHOD_DECORATORS[route.method](route.path));
    for (const decorate of decorators) decorate(prototype, name, descriptor);
    Object.defineProperty(prototype, name, descriptor);
  }
  return NotImplementedController;
}

function documentationOf({ method, path }: PendingRoute): MethodDecorator[] {
  const segment = path.split('/')[1] ?? '';
  const text = PENDING_TEXTS[`${method} ${path}`];
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  return [
    ApiTags(TAG_OF_SEGMENT[segment] ?? segment),
    ApiOperation({ summary: text?.summary, description: `${text?.description ?? ''}\n\n${NOT_YET}`.trim() }),
    ApiExtension(NOT_IMPLEMENTED_EXTENSION, true),
    ...names.map((name) => ApiParam({ name, type: String })),
  ];
}

/** Answers 501 for the calls that are described but not served yet. */
@Module({ controllers: [controllerFor(NOT_IMPLEMENTED)] })
export class NotImplementedModule {}
