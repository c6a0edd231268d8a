import { Injectable, RequestMethod, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ACCESS_RULE, type AccessRule, SIDE_EFFECT } from '../auth/access.decorators.js';
import { isWholePath } from './api-paths.js';
import { PLAIN_TEXT_BODY, RAW_BODY, SUCCESSOR, UPLOAD } from './answer.decorators.js';
import { FETCH_ROUTE, POST_TWIN_OF } from './fetch.decorator.js';
import { API_PREFIX } from './links.js';

/** Names under which Nest's route decorators store their values. */
const PATH_METADATA = 'path';
const METHOD_METADATA = 'method';

/** A handler of the running application with the values of its decorators. */
export interface Route {
  method: string;
  /** Full pattern, `/api/metric/:metric_name`. */
  path: string;
  /** `MetricController.show` */
  name: string;
  controller: Type;
  handler: object;
  /** Undefined: the route declares none, and is refused. */
  access: AccessRule | undefined;
  /** Changes something: subject to the cross-site rule. */
  isSideEffect: boolean;
  /** A GET that changes something. */
  isUnsafeGet: boolean;
  takesPlainText: boolean;
  takesRawBody: boolean;
  takesUpload: boolean;
  /** Below the API base: the newer form of this call. */
  successor: string | undefined;
  /** Set on the POST form of a `@Fetch` route. */
  isPostTwin: boolean;
}

interface PathEntry {
  segments: readonly string[];
  routes: Route[];
}

/** All routes of the application by path: the source of Allow, 404, 405 and the census. */
@Injectable()
export class RouteTable {
  private entriesByLength: Map<number, PathEntry[]> | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** Every route, in the order of declaration. */
  listRoutes(): Route[] {
    return this.discovery.getControllers().flatMap((wrapper) => {
      const controller = wrapper.metatype as Type | null;
      if (!controller) return [];
      const prototype = controller.prototype as Record<string, object>;
      return this.scanner
        .getAllMethodNames(prototype)
        .flatMap((name) => routesOf(controller, name, prototype[name] ?? {}));
    });
  }

  /**
   * The routes of the most specific matching pattern, one per method; empty for an unknown path. A static segment takes
   * precedence over a parameter, and one trailing slash is ignored.
   */
  findAt(path: string): readonly Route[] {
    this.entriesByLength ??= entriesByLength(this.listRoutes());
    const segments = segmentsOf(path);
    const entry = this.entriesByLength.get(segments.length)?.find((candidate) => fits(candidate.segments, segments));
    return entry?.routes ?? [];
  }
}

function routesOf(controller: Type, name: string, handler: object): Route[] {
  const methodPath = Reflect.getMetadata(PATH_METADATA, handler) as string | string[] | undefined;
  if (methodPath === undefined) return [];
  const metadata = (key: symbol): unknown => Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller);
  const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
  const isUnsafeGet = method === 'GET' && metadata(SIDE_EFFECT) === true;
  const isFetch = method === 'GET' || metadata(FETCH_ROUTE) === true;
  const controllerPath = Reflect.getMetadata(PATH_METADATA, controller) as string | string[];
  return [controllerPath].flat().flatMap((base) =>
    [methodPath].flat().map((path) => ({
      method,
      path: fullPath(base, path),
      name: `${controller.name}.${name}`,
      controller,
      handler,
      access: metadata(ACCESS_RULE) as AccessRule | undefined,
      isSideEffect: metadata(SIDE_EFFECT) === true || !isFetch,
      isUnsafeGet,
      takesPlainText: metadata(PLAIN_TEXT_BODY) === true,
      takesRawBody: metadata(RAW_BODY) === true,
      takesUpload: metadata(UPLOAD) === true,
      successor: metadata(SUCCESSOR) as string | undefined,
      isPostTwin: metadata(POST_TWIN_OF) !== undefined,
    })),
  );
}

function fullPath(base: string, path: string): string {
  const joined = `/${base}/${path}`.replace(/\/+/g, '/').replace(/(.)\/$/, '$1');
  return isWholePath(joined) ? joined : API_PREFIX + joined;
}

function segmentsOf(path: string): string[] {
  return path.replace(/^\//, '').replace(/\/$/, '').split('/');
}

function entriesByLength(routes: readonly Route[]): Map<number, PathEntry[]> {
  const byShape = new Map<string, PathEntry>();
  for (const route of routes) {
    const segments = segmentsOf(route.path);
    const shape = segments.map((segment) => (segment.startsWith(':') ? ':' : segment)).join('/');
    const entry = byShape.get(shape) ?? { segments, routes: [] };
    if (!entry.routes.some((known) => known.method === route.method)) entry.routes.push(route);
    byShape.set(shape, entry);
  }
  const byLength = new Map<number, PathEntry[]>();
  // ':' is replaced with the highest character, so that sorting puts static segments first.
  const rank = ({ segments }: PathEntry) => segments.map((text) => (text.startsWith(':') ? '\uffff' : text)).join('/');
  for (const entry of [...byShape.values()].sort((a, b) => (rank(a) < rank(b) ? -1 : 1))) {
    const length = entry.segments.length;
    byLength.set(length, [...(byLength.get(length) ?? []), entry]);
  }
  return byLength;
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return pattern.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]));
}

/** Methods of a path, for `Allow`. */
export function allowedMethods(routes: readonly Route[]): string {
  const methods = new Set(routes.map((route) => route.method));
  if (routes.some((route) => route.method === 'GET' && !route.isUnsafeGet)) methods.add('HEAD');
  methods.add('OPTIONS');
  return [...methods].sort().join(', ');
}
