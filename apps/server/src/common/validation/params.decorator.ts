import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { type Request } from 'express';
import { SIDE_EFFECT } from '../auth/access.decorators.js';
import { FETCH_ROUTE } from '../http/fetch.decorator.js';
import { type ParamsClass, paramsOf } from './param-registry.js';
import { ParamsPipe, type RequestParameters } from './params.pipe.js';

/** Bodies whose values are all texts (or files). */
const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data'];

interface Wanted {
  type: ParamsClass;
  judged: boolean;
}

const RequestParams = createParamDecorator(({ type, judged }: Wanted, context: ExecutionContext): RequestParameters => {
  const request = context.switchToHttp().getRequest<Request>();
  const handler = context.getHandler();
  const changes = isMarked(SIDE_EFFECT, handler);
  const isGet = request.method === 'GET' || request.method === 'HEAD';
  const fetches = !changes && (isGet || isMarked(FETCH_ROUTE, handler));
  return {
    type,
    query: request.query,
    body: request.body as unknown,
    form: typeof request.is(FORMS) === 'string',
    write: !fetches,
    refuseUnknown: !fetches && !isGet,
    judged,
  };
});

function isMarked(key: symbol, handler: object): boolean {
  return Boolean(Reflect.getMetadata(key, handler));
}

/**
 * The parameters of a call: query string and body together, converted and checked by the class of the argument, and
 * documented from it. A call without parameters declares `@Params() _params: NoParams`, so that a write refuses unknown
 * ones.
 *
 * `@Params(UpdateOrgParams) params: JudgedParams<UpdateOrgParams>` is for calls whose service finds further problems: it
 * reports them together with those of the request.
 */
export function Params(judgedType?: ParamsClass): ParameterDecorator {
  return (target, key, index) => {
    const name = String(key);
    const types = Reflect.getMetadata('design:paramtypes', target, name) as (ParamsClass | undefined)[] | undefined;
    const type = judgedType ?? types?.[index];
    const method = Object.getOwnPropertyDescriptor(target, name);
    if (type === undefined || (type as unknown) === Object || method === undefined) {
      throw new Error(
        `@Params() on ${target.constructor.name}.${name}: the argument needs a class as its type; import it as a value, not with "import type"`,
      );
    }
    RequestParams({ type, judged: judgedType !== undefined }, ParamsPipe)(target, name, index);
    for (const param of paramsOf(type).values()) {
      const { description, example, required = false } = param.options;
      const schema = param.kind.schema();
      ApiQuery({ name: param.name, required, description, example, schema })(target, name, method);
    }
  };
}
