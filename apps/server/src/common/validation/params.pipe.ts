import { Injectable, type PipeTransform } from '@nestjs/common';
import { type ValidationError } from 'class-validator';
import { type ErrorDetail } from '#libs/contracts';
import { Clock } from '../clock.js';
import { JudgedParams } from './judged-params.js';
import { toInstance } from './param-instance.js';
import { messageOfFault } from './param-message.js';
import { type ParamContext, type ParamFault } from './param-kind.js';
import { checksOf, type ParamsClass, paramsOf } from './param-registry.js';
import { faultsOf, judge } from './param-rule.js';
import { gatherParameters, MAX_UNKNOWN_NAMED, type ParameterSource } from './request-parameters.js';

/** The parts of a request that `@Params()` reads. */
export interface RequestParameters extends ParameterSource {
  type: ParamsClass;
  /** An empty string or null clears (writes, GETs with a side effect), or counts as omitted (fetches). */
  write: boolean;
  refuseUnknown: boolean;
  /** The handler accepts `JudgedParams`. */
  judged: boolean;
}

/** Query string and body -> validated instance of the parameter class; reports all problems of a request together. */
@Injectable()
export class ParamsPipe implements PipeTransform<RequestParameters, object> {
  constructor(private readonly clock: Clock) {}

  transform(request: RequestParameters): object {
    const context = { now: this.clock.now(), write: request.write, refuseUnknown: request.refuseUnknown };
    return request.judged ? judgeParameters(request, context) : readParameters(request, context);
  }
}

/** Converts and validates the parameters of a request. @throws ValidationFailedError with all problems. */
export function readParameters<T extends object>(
  source: ParameterSource & { type: ParamsClass<T> },
  context: ParamContext,
): T {
  return judgeParameters(source, context).requireSound();
}

/** Like `readParameters`, for calls that find further problems in stored data and report all of them together. */
function judgeParameters<T extends object>(
  source: ParameterSource & { type: ParamsClass<T> },
  context: ParamContext,
): JudgedParams<T> {
  const specs = paramsOf(source.type);
  const { known, unknown, problems } = gatherParameters(source, specs, context.write);
  if (context.refuseUnknown) problems.push(...unknown.slice(0, MAX_UNKNOWN_NAMED).map(unknownParameter));
  for (const [name, sent] of known) {
    if (sent.inQuery && specs.get(name)?.options.bodyOnly === true) {
      problems.push({
        field: name,
        code: 'body_only',
        message: `${name} must be sent in the body, not in the address`,
      });
    }
  }
  const values = [...known].map(([name, sent]) => [name, sent.value] as const);
  const params = toInstance(source.type, values, context);
  const errors = judge(params, context);
  problems.push(...faultsOf(errors, context).map(detailOf));
  const sound = soundOf(params, errors);
  const request = { now: context.now, given: new Set(known.keys()), values: { ...params } as Record<string, unknown> };
  problems.push(...checksOf(source.type).flatMap((check) => check(sound, request)));
  return new JudgedParams(params, sound, problems);
}

function unknownParameter(name: string): ErrorDetail {
  return { field: name, code: 'unknown_parameter', message: `${name} is not a parameter of this call` };
}

function detailOf(fault: ParamFault): ErrorDetail {
  return { field: fault.path, code: fault.code, message: messageOfFault(fault) };
}

/** Rules over several parameters only see values that passed their own rules. */
function soundOf<T extends object>(params: T, errors: readonly ValidationError[]): Partial<T> {
  const failed = new Set(errors.map(({ property }) => property));
  return Object.fromEntries(Object.entries(params).filter(([name]) => !failed.has(name))) as Partial<T>;
}
