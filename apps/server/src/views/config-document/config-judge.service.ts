import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { ValidationFailedError } from '../../common/errors/app-error.js';
import { type ParamsClass } from '../../common/validation/param-registry.js';
import { readParameters } from '../../common/validation/params.pipe.js';
import { type ConfigSecret } from '../../platform/config-kind/config-kind.types.js';
import { ConfigKindsService, type RegisteredKind } from '../../platform/config-kind/config-kinds.service.js';
import { paramsClassOf } from '../../platform/config-kind/config-params.functions.js';
import { ConfigDocumentError, MAX_PROBLEMS } from './config-document.errors.js';
import { type DocumentProblem, type ReadObject, type StandIn, type WantedObject } from './config-document.types.js';
import { lineOf } from './document-lines.js';
import { isStandIn, unescaped, unfilled } from './placeholders.js';
import { givenText } from '../../common/validation/param-message.js';

/**
 * Number of objects that are validated without a pause: there may be thousands, and other requests are served between
 * them.
 */
const IN_A_ROW = 20;

/** Validates each object of a document with the parameters of its kind, before it is compared with stored data. */
@Injectable()
export class ConfigJudgeService {
  constructor(
    private readonly kinds: ConfigKindsService,
    private readonly clock: Clock,
  ) {}

  /** @throws ConfigDocumentError with the lines of all problems, up to the maximum of an answer */
  async judge(objects: readonly ReadObject[]): Promise<WantedObject[]> {
    const problems: DocumentProblem[] = [];
    const wanted: WantedObject[] = [];
    for (const [index, read] of objects.entries()) {
      if (index % IN_A_ROW === IN_A_ROW - 1) await setImmediate();
      if (problems.length >= MAX_PROBLEMS) break;
      wanted.push(...this.judgeKind(read, problems));
    }
    if (problems.length > 0) throw new ConfigDocumentError(problems);
    return wanted;
  }

  private judgeKind(read: ReadObject, problems: DocumentProblem[]): WantedObject[] {
    const kind = this.kinds.find(read.kind);
    if (!kind) {
      const known = this.kinds.all().map(({ description }) => description.kind);
      const message = `kind must be one of ${known.join(', ')}${givenText('kind', read.kind)}`;
      problems.push({ line: lineOf(read, 'kind'), code: 'not_one_of', message });
      return [];
    }
    const type = paramsClassOf(kind.description, read.fields);
    if (type) return this.judgeObject(read, kind, type, problems);
    problems.push(unknownVariant(kind, read));
    return [];
  }

  private judgeObject(
    read: ReadObject,
    kind: RegisteredKind,
    type: ParamsClass,
    problems: DocumentProblem[],
  ): WantedObject[] {
    const { body, standIns, open } = withoutSecretsThatStand(read, kind.acts.secretsOf?.(read.fields) ?? new Map());
    problems.push(...open);
    try {
      const context = { now: this.clock.now(), write: true, refuseUnknown: true };
      const params = readParameters({ query: {}, body, form: false, type }, context);
      return [{ read, kind, params, standIns }];
    } catch (error) {
      if (!(error instanceof ValidationFailedError)) throw error;
      const isNew = ({ field }: { field: string }): boolean => !open.some((one) => one.line === lineOf(read, field));
      const found = error.details.filter(isNew);
      problems.push(...found.map(({ field, code, message }) => ({ line: lineOf(read, field), code, message })));
      return [];
    }
  }
}

function unknownVariant({ description: { params } }: RegisteredKind, read: ReadObject): DocumentProblem {
  if (typeof params === 'function') throw new Error(`${read.kind} has no variants`);
  const line = lineOf(read, params.member);
  const known = [...params.classes.keys()].join(', ');
  if (read.fields[params.member] == null) {
    return { line, code: 'required', message: `${params.member} is required: one of ${known}` };
  }
  return {
    line,
    code: 'not_one_of',
    message: `${params.member} must be one of ${known}${givenText(params.member, read.fields[params.member])}`,
  };
}

/**
 * The members to validate: a secret with a placeholder keeps its stored value; a placeholder anywhere else should have
 * been filled in.
 */
function withoutSecretsThatStand(
  read: ReadObject,
  secrets: ReadonlyMap<string, ConfigSecret>,
): { body: object; standIns: StandIn[]; open: DocumentProblem[] } {
  const body: Record<string, unknown> = { ...read.fields };
  const standIns: StandIn[] = [];
  for (const [member, { isGenerated }] of secrets) {
    const value = body[member];
    if (isStandIn(value)) standIns.push({ member, isNeeded: true });
    else if (isGenerated && (value === undefined || value === null || value === '')) {
      standIns.push({ member, isNeeded: false });
    } else continue;
    Reflect.deleteProperty(body, member);
  }
  const open = Object.entries(body).flatMap(([member, value]) =>
    unfilled(value, MAX_PROBLEMS).map((placeholder): DocumentProblem => {
      const message = `${placeholder} is not filled in; plumbline apply takes it from its environment`;
      return { line: lineOf(read, member), code: 'bad_format', message };
    }),
  );
  return { body: unescaped(body), standIns, open: open.slice(0, MAX_PROBLEMS) };
}
