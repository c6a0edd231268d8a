import { type INestApplication } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ERROR_STATUS, type ErrorCode } from '#libs/contracts';
import { accessName, type AccessRule, TOKEN_IN_HEADER } from '../../common/auth/access.decorators.js';
import { errorsOf, SERVICE_ERRORS } from '../../common/errors/route-errors.js';
import { ErrorEnvelopeDto } from '../../common/envelope/envelope.dto.js';
import { isForeignPath, isIngestPath, WHOLE_API_PATHS } from '../../common/http/api-paths.js';
import { API_PREFIX } from '../../common/http/links.js';
import { type Route, RouteTable } from '../../common/http/route-table.js';
import { describeMembers, describeParameters } from './described.js';
import { TAGS } from './tags.js';

const DESCRIPTION = `Anomaly detection for time-series metrics. Answers are \`{status, data}\`; errors carry a code of the \
catalogue in \`data.error.code\`. Every fetching GET accepts POST with the same parameters. Members may be added within \
version 1.

A program authenticates with a token, a person with the session of a login. Each call names the permission that it needs \
as \`x-permission\`; \`none\` needs no credential, \`read*\` takes a signed address too.`;

const TOKEN_DESCRIPTION =
  'A token of an organisation: `pl_` and 43 characters, with some of the permissions read, write, alert, ingest and ' +
  'admin. It identifies the organisation, not a user. Administrators create tokens with `POST /api/org/tokens`, ' +
  'operators with `plumbline token create`; the first start prints two.';
const BASIC_DESCRIPTION = 'A token as the password; the user name is ignored.';
const SESSION_DESCRIPTION =
  'The session of a user: 32 hexadecimal characters, `status.session_id` of the answer to `POST /api/login`.';

const SESSION_COOKIE_DESCRIPTION = 'The same id as a cookie, which browsers get when they log in.';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Parameter = Extract<NonNullable<Operation['parameters']>[number], { in: string }>;
type Schema = NonNullable<Parameter['schema']>;
type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const OPERATION_METHODS = ['get', 'post', 'put', 'delete'] as const;
const RESPONSES = '#/components/responses/';
const BODY_TYPES = ['application/json', 'application/x-www-form-urlencoded'];

/**
 * The description of the API, generated from the controllers of an application (also one created with `preview: true`,
 * whose providers do not run). The same code gives the same document, byte for byte.
 */
export function describeApi(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Plumbline API')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Session-Id', description: SESSION_DESCRIPTION }, 'session')
    .addApiKey({ type: 'apiKey', in: 'cookie', name: 'session_id', description: SESSION_COOKIE_DESCRIPTION }, 'cookie')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Auth-Token', description: TOKEN_DESCRIPTION }, 'token')
    // Its default bearerFormat, JWT, would be wrong.
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'pl_…', description: TOKEN_DESCRIPTION }, 'bearer')
    .addBasicAuth({ type: 'http', scheme: 'basic', description: BASIC_DESCRIPTION }, 'basic')
    .addApiKey(
      { type: 'apiKey', in: 'query', name: 'sig', description: 'Signature of an address made by the service.' },
      'signature',
    );
  for (const { name, description } of TAGS) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    extraModels: [ErrorEnvelopeDto],
    autoTagControllers: false,
  });
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
      if (!operation || !route) continue;
      describeParameters(operation.parameters);
      completeOperation(operation, route, path);
    }
  }
  addIngestPathsOfApi(document);
  describeMembers(document.components?.schemas ?? {});
  document.components ??= {};
  document.components.responses = errorResponses(document);
  return inJsonSchemaDialect(sorted(document) as unknown as Json) as unknown as OpenAPIObject;
}

/**
 * The same description with the addresses of a running installation. The document that is generated from the code alone
 * has none, so that the same code gives the same bytes everywhere.
 */
export function withAddresses(document: OpenAPIObject, { publicUrl, ingestUrl }: Addresses): OpenAPIObject {
  const here = { url: '/', description: 'The host that this description came from' };
  const servers = [{ url: publicUrl, description: 'The public address' }, here];
  if (ingestUrl === publicUrl) return { ...document, servers };
  const ingestServers = [{ url: ingestUrl, description: 'The address for agents that send data' }];
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    isIngestPath(path) ? { ...item, servers: ingestServers } : item,
  ]);
  return { ...document, servers, paths: Object.fromEntries(paths) as OpenAPIObject['paths'] };
}

export interface Addresses {
  publicUrl: string;
  ingestUrl: string;
}

/** The ingest paths are served below the API base too. */
function addIngestPathsOfApi(document: OpenAPIObject): void {
  for (const [path, item] of Object.entries(document.paths)) {
    if (!path.startsWith('/ingest/') || !item.post) continue;
    const operationId = item.post.operationId?.replace(/^post/, 'postApi');
    document.paths[API_PREFIX + path] = { post: { ...item.post, ...(operationId ? { operationId } : {}) } };
  }
}

/** Converts `:metric_name` to `{metric_name}`. */
function braced(path: string): string {
  return path.replace(/:([A-Za-z_]+)/g, '{$1}');
}

function completeOperation(operation: Operation, route: Route, path: string): void {
  const extensions = operation as Operation & Record<`x-${string}`, string>;
  operation.operationId = operationId(route.method, path);
  if (route.access) {
    extensions['x-permission'] = accessName(route.access);
    const isByHeader = Reflect.getMetadata(TOKEN_IN_HEADER, route.handler) === true;
    operation.security = isByHeader ? HEADER_TOKEN : securityOf(route.access);
  }
  if (route.successor !== undefined) {
    operation.deprecated = true;
    extensions['x-superseded-by'] = braced(route.successor);
  }
  if (!isIngestPath(route.path) && !isForeignPath(route.path)) describeErrors(operation, route);
  if (route.method === 'POST' || route.method === 'PUT') moveParametersToBody(operation);
}

/** The codes of each status, and the response that all calls share. Descriptions of a controller take precedence. */
function describeErrors(operation: Operation, route: Route): void {
  for (const [status, codes] of errorsOf(route)) {
    operation.responses[status] ??= { $ref: RESPONSES + codes.join('.') };
  }
  operation.responses.default = { $ref: `${RESPONSES}Error` };
}

/**
 * The error responses that operations reference: there are few sets of codes, and each is defined once, named by its
 * codes.
 */
function errorResponses(document: OpenAPIObject): NonNullable<OpenAPIObject['components']>['responses'] {
  const pointers = Object.values(document.paths).flatMap((item) =>
    OPERATION_METHODS.flatMap((method) => Object.values(item[method]?.responses ?? {})),
  );
  const names = new Set(
    pointers.flatMap((one) => (one && '$ref' in one && one.$ref.startsWith(RESPONSES) ? [one.$ref] : [])),
  );
  names.delete(`${RESPONSES}Error`);
  const sets = [...names].sort().map((name) => name.slice(RESPONSES.length));
  return {
    ...Object.fromEntries(sets.map((name) => [name, errorResponse(name.split('.') as ErrorCode[])])),
    Error: { ...errorResponse(SERVICE_ERRORS), description: 'Any call may answer this: the state of the service.' },
  };
}

function errorResponse(codes: readonly ErrorCode[]) {
  const code = { properties: { code: { enum: [...codes] } } };
  return {
    description: `${String(ERROR_STATUS[codes[0]!])}: ${codes.map((name) => `\`${name}\``).join(', ')}`,
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/ErrorEnvelopeDto' },
            { properties: { data: { properties: { error: code } } } },
          ],
        },
      },
    },
  };
}

/**
 * Names of client methods are derived from it, so they depend only on method and path: GET
 * /api/metric/{metric_name}/timeseries is getMetricTimeseries, GET /api/incidents/{incident_id} is
 * getIncidentsByIncidentId. A path at the root that also exists below the API base gets a prefix: GET /ping is
 * getRootPing.
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
  const isTwice = WHOLE_API_PATHS.includes(API_PREFIX + path);
  return (
    method.toLowerCase() +
    (isTwice ? ['root', ...words] : words)
      .flatMap((word) => word.split(/[^A-Za-z0-9]+/))
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join('')
  );
}

type SecurityRequirement = Record<string, string[]>;

const HEADER_TOKEN: SecurityRequirement[] = [{ token: [] }, { bearer: [] }, { basic: [] }];

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

/** Parameters are read from query and body alike; if a body is usual, they are described as its members. */
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

/** Sorts paths, methods and components, so that the document changes only with the API. */
function sorted(document: OpenAPIObject): OpenAPIObject {
  const byName = <T extends object>(record: T): T =>
    Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))) as T;
  return {
    ...document,
    paths: byName(Object.fromEntries(Object.entries(document.paths).map(([path, item]) => [path, byName(item)]))),
    components: { ...document.components, schemas: byName(document.components?.schemas ?? {}) },
  };
}

/** OpenAPI 3.1 uses JSON Schema, which has no `nullable`: `null` is an additional type. */
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
