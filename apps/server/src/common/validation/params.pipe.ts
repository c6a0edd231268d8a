import { Injectable, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { type ErrorDetail } from '#libs/contracts';
import { Clock } from '../clock.js';
import { ValidationFailedError } from '../errors/app-error.js';
import { type ParamContext, ParamProblem } from './param-kind.js';
import { checksOf, type ParamsClass, paramsOf } from './param-registry.js';
import { RawValue, type TransformOptionsWithContext } from './param.decorators.js';
import { gatherParameters, MAX_UNKNOWN_NAMED, type ParameterSource } from './request-parameters.js';

/** What `@Params()` takes from a request. */
export interface RequestParameters extends ParameterSource {
  type: ParamsClass;
  /** An empty string or null clears (writes, GETs with a side effect), or counts as left out (fetches). */
  write: boolean;
  refuseUnknown: boolean;
}

/** Query string and body -> validated instance of the parameter class; all problems of a request at once. */
@Injectable()
export class ParamsPipe implements PipeTransform<RequestParameters, object> {
  constructor(private readonly clock: Clock) {}

  transform(request: RequestParameters): object {
    const context = { now: this.clock.now(), write: request.write, refuseUnknown: request.refuseUnknown };
    return readParameters(request, context);
  }
}

/** Converts and validates the parameters of a request. @throws ValidationFailedError with every problem found. */
export function readParameters<T extends object>(
  source: ParameterSource & { type: ParamsClass<T> },
  context: ParamContext,
): T {
  const specs = paramsOf(source.type);
  const { known, unknown, problems } = gatherParameters(source, specs, context.write);
  if (context.refuseUnknown) problems.push(...unknown.slice(0, MAX_UNKNOWN_NAMED).map(unknownParameter));
  for (const [name, sent] of known) {
    if (sent.inQuery && specs.get(name)?.options.bodyOnly === true) {
      problems.push({ field: name, code: 'body_only', message: `${name} is accepted in the body only` });
    }
  }
  // RawValue keeps class-transformer from walking through what a stranger sent.
  const plain = Object.fromEntries([...known].map(([name, sent]) => [name, new RawValue(sent.value)]));
  const options: TransformOptionsWithContext = { excludeExtraneousValues: true, paramContext: context };
  const params = plainToInstance(source.type, plain, options);
  problems.push(...problemsOf(validateSync(params, { forbidUnknownValues: false })));
  problems.push(...crossProblems(source.type, params, { now: context.now, given: new Set(known.keys()) }));
  if (problems.length > 0) throw new ValidationFailedError(problems);
  return params;
}

function unknownParameter(name: string): ErrorDetail {
  return { field: name, code: 'unknown_parameter', message: `${name} is not a parameter of this call` };
}

function problemsOf(errors: readonly ValidationError[]): ErrorDetail[] {
  return errors.flatMap((error) => {
    if (error.value instanceof ParamProblem) {
      return error.value.faults.map(({ path, code, says }) => {
        const field = path === '' ? error.property : `${error.property}.${path}`;
        return { field, code, message: `${field} ${says}` };
      });
    }
    return foreignProblems(error);
  });
}

/** A failed rule of class-validator itself; it brings its code in `context: { code }`. */
function foreignProblems(error: ValidationError): ErrorDetail[] {
  return Object.entries(error.constraints ?? {}).map(([rule, message]) => {
    const context = error.contexts?.[rule] as { code?: string } | undefined;
    return { field: error.property, code: context?.code ?? 'bad_format', message };
  });
}

function crossProblems<T extends object>(
  type: ParamsClass<T>,
  params: T,
  request: { now: number; given: ReadonlySet<string> },
): ErrorDetail[] {
  const sound = Object.fromEntries(Object.entries(params).filter(([, value]) => !(value instanceof ParamProblem)));
  return checksOf(type).flatMap((check) => check(sound as Partial<T>, request));
}
