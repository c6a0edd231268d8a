import { Controller, Delete, Get, Module, Post, Put, type Type } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import {
  Public,
  RequireAnyPermission,
  RequirePermissions,
  RequirePermissionsOrSignature,
  SessionOnly,
  SideEffect,
} from '../auth/access.decorators.js';
import { AcceptPlainText } from './answer.decorators.js';
import { Fetch, FETCH_ROUTE } from './fetch.decorator.js';
import { NotImplementedYetError } from './http.errors.js';
import { NOT_IMPLEMENTED, type PendingPermission, type PendingRoute } from './not-implemented.js';

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
  @ApiExcludeController()
  @Controller()
  class NotImplementedController {}
  const prototype: object = NotImplementedController.prototype;
  for (const route of routes) {
    const name = `${route.method} ${route.path}`;
    const handler = (): never => {
      throw new NotImplementedYetError();
    };
    const descriptor = { value: handler, configurable: true, writable: true };
    const decorators = [ACCESS[route.permission]];
    if (route.method === 'OLD_FORM' || route.method === 'OLD_FORM_GET') decorators.push(SideEffect());
    if (route.takesPlainText === true) decorators.push(AcceptPlainText());
    if (route.isFetch === true) Reflect.defineMetadata(FETCH_ROUTE, true, handler);
    decorators.push(METHOD_DECORATORS[route.method](route.path));
    for (const decorate of decorators) decorate(prototype, name, descriptor);
    Object.defineProperty(prototype, name, descriptor);
  }
  return NotImplementedController;
}

/** Answers 501 for the calls that are described but not served yet. */
@Module({ controllers: [controllerFor(NOT_IMPLEMENTED)] })
export class NotImplementedModule {}
