import { type INestApplication } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { accessName, type AccessRule } from '../../common/auth/access.decorators.js';
import { ErrorEnvelopeDto } from '../../common/envelope/envelope.dto.js';
import { isIngestPath } from '../../common/http/api-paths.js';
import { type Route, RouteTable } from '../../common/http/route-table.js';

const DESCRIPTION = [
  'Anomaly detection for time-series metrics. Answers are `{status, data}`; errors carry a code of the catalogue in',
  '`data.error.code`. Every fetching GET accepts POST with the same parameters. Members may be added within version 1.',
].join(' ');

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Parameter = Extract<NonNullable<Operation['parameters']>[number], { in: string }>;
type Schema = NonNullable<Parameter['schema']>;
type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const OPERATION_METHODS = ['get', 'post', 'put', 'delete'] as const;
const BODY_TYPES = ['application/json', 'application/x-www-form-urlencoded'];

/**
 * The description of the API, made from the controllers of an application (also one created with `preview: true`, whose
 * providers do not run). The same code gives the same document, byte for byte.
 */
export function describeApi(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Plumbline API')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .addServer('/')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Session-Id' }, 'session')
    .addApiKey({ type: 'apiKey', in: 'cookie', name: 'session_id' }, 'cookie')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Auth-Token' }, 'token')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'A token.' }, 'bearer')
    .addApiKey(
      { type: 'apiKey', in: 'query', name: 'sig', description: 'Of an address made by the service.' },
      'signature',
    );
  const document = SwaggerModule.createDocument(app, builder.build(), { extraModels: [ErrorEnvelopeDto] });
  const table = new RouteTable(
    new DiscoveryService(app.get(ModulesContainer, { strict: false })),
    new MetadataScanner(),
  );
  const routes = new Map(
    table.listRoutes().map((route) => [`${route.method.toLowerCase()} ${braced(route.path)}`, route]),
  );
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of OPERATION_METHODS) {
      const operation = item[method];
      const route = routes.get(`${method} ${path}`);
      if (operation && route) completeOperation(operation, route, path);
    }
  }
  document.components ??= {};
  document.components.responses = {
    Error: {
      description: 'The request was not carried out.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorEnvelopeDto' } } },
    },
  };
  return inJsonSchemaDialect(sorted(document) as unknown as Json) as unknown as OpenAPIObject;
}

/** `:metric_name` as `{metric_name}`. */
function braced(path: string): string {
  return path.replace(/:([A-Za-z_]+)/g, '{$1}');
}

function completeOperation(operation: Operation, route: Route, path: string): void {
  const extensions = operation as Operation & Record<`x-${string}`, string>;
  operation.operationId = operationId(route.method, path);
  if (route.access) {
    extensions['x-permission'] = accessName(route.access);
    operation.security = securityOf(route.access);
  }
  if (route.successor !== undefined) {
    operation.deprecated = true;
    extensions['x-superseded-by'] = braced(route.successor);
  }
  if (!isIngestPath(route.path)) operation.responses.default = { $ref: '#/components/responses/Error' };
  if (route.method === 'POST' || route.method === 'PUT') moveParametersToBody(operation);
}

/**
 * Names of client methods come from here, so they depend on nothing but method and path:
 * GET /api/metric/{metric_name}/timeseries is getMetricTimeseries, GET /api/incidents/{incident_id} is
 * getIncidentsByIncidentId.
 */
function operationId(method: string, path: string): string {
  const segments = path
    .replace(/^\/api(?=\/(?!v\d\/))/, '')
    .split('/')
    .filter((segment) => segment !== '');
  const words = segments.flatMap((segment, index) => {
    if (!segment.startsWith('{')) return [segment];
    const isInside = segments.slice(index + 1).some((later) => !later.startsWith('{'));
    return isInside ? [] : ['by', segment.slice(1, -1)];
  });
  return (
    method.toLowerCase() +
    words
      .flatMap((word) => word.split(/[^A-Za-z0-9]+/))
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join('')
  );
}

type SecurityRequirement = Record<string, string[]>;

/** One of them is enough. */
function securityOf(rule: AccessRule): SecurityRequirement[] {
  const session: SecurityRequirement[] = [{ session: [] }, { cookie: [] }];
  const token: SecurityRequirement[] = [{ token: [] }, { bearer: [] }];
  switch (rule.kind) {
    case 'public':
      return [];
    case 'session':
      return session;
    case 'ingest':
      return token;
    case 'permissions':
      return [...session, ...token, ...(rule.signedUrl ? [{ signature: [] }] : [])];
  }
}

/** Parameters are taken from query and body alike; where a body is usual, they are described as its members. */
function moveParametersToBody(operation: Operation): void {
  const parameters = (operation.parameters ?? []) as Parameter[];
  const moved = parameters.filter((parameter) => parameter.in === 'query');
  if (moved.length === 0 || operation.requestBody) return;
  operation.parameters = parameters.filter((parameter) => parameter.in !== 'query');
  const properties = moved.map(({ name, schema, description, example }): [string, Schema] => [
    name,
    {
      ...schema,
      ...(description === undefined ? {} : { description }),
      ...(example === undefined ? {} : { example: example as unknown }),
    },
  ]);
  const required = moved.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
  };
  operation.requestBody = {
    required: required.length > 0,
    content: Object.fromEntries(BODY_TYPES.map((type) => [type, { schema }])),
  };
}

/** Paths, methods and components in a fixed order, so that the document changes only where the API does. */
function sorted(document: OpenAPIObject): OpenAPIObject {
  const byName = <T extends object>(record: T): T =>
    Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))) as T;
  return {
    ...document,
    paths: byName(Object.fromEntries(Object.entries(document.paths).map(([path, item]) => [path, byName(item)]))),
    components: { ...document.components, schemas: byName(document.components?.schemas ?? {}) },
  };
}

/** OpenAPI 3.1 speaks JSON Schema, which has no `nullable`: `null` is one more type. */
function inJsonSchemaDialect(node: Json): Json {
  if (Array.isArray(node)) return node.map(inJsonSchemaDialect);
  if (node === null || typeof node !== 'object') return node;
  const { nullable, ...rest } = node;
  const schema = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, inJsonSchemaDialect(value)]));
  if (nullable !== true) return typeof nullable === 'object' ? { ...schema, nullable } : schema;
  if (Array.isArray(schema.enum)) schema.enum = [...schema.enum, null];
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] };
  const { description, ...inner } = schema;
  return { ...(description === undefined ? {} : { description }), anyOf: [inner, { type: 'null' }] };
}
