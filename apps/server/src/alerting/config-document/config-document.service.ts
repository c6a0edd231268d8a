import { Injectable } from '@nestjs/common';
import { Document, stringify } from 'yaml';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { AppError, ValidationFailedError } from '../../common/errors/app-error.js';
import { readParameters } from '../../common/validation/params.pipe.js';
import { OrgService } from '../../people/org/org.service.js';
import { type AfterCommit, type ConfigKind, type ConfigObject } from '../../platform/config-kind/config-kind.types.js';
import { ConfigKinds } from '../../platform/config-kind/config-kinds.service.js';
import { diffOf } from './config-diff.js';
import { ConfigDocumentError, ConfigRefusedError, type DocumentProblem } from './config-document.errors.js';
import { type ReadObject } from './config-document.types.js';
import { type ConfigAppliedDto, type ConfigChangeDto, type ConfigExportDto } from './dto/config-document.dto.js';
import { type ApplyConfigParams, type ExportConfigParams } from './dto/config-document.params.js';
import { readDocument } from './read-document.js';

/** One object of a document, sound by itself. */
interface WantedObject {
  read: ReadObject;
  kind: ConfigKind;
  params: object;
}

/** Ends the transaction of a dry run without a trace. */
class DryRun extends Error {}

/** Settings as documents: all of them out, and a document in, all or nothing. */
@Injectable()
export class ConfigDocuments {
  constructor(
    private readonly kinds: ConfigKinds,
    private readonly orgs: OrgService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** All that documents can describe, in their order; applied again they change nothing. */
  async export(caller: KnownCaller, { format }: ExportConfigParams): Promise<ConfigExportDto> {
    const objects = await this.transactions.run(async (tx) => {
      const found: Record<string, unknown>[] = [];
      for (const kind of this.kinds.all()) {
        for (const { fields } of await kind.list(caller, tx)) found.push({ kind: kind.kind, ...saidOf(fields) });
      }
      return found;
    });
    if (format === 'json') return { document: JSON.stringify(objects, null, 2) };
    return { document: objects.map((object) => stringify(new Document(object), { lineWidth: 0 })).join('---\n') };
  }

  /**
   * Changes what differs from the document, in one transaction; a dry run does the same and takes all of it back.
   * @throws ConfigDocumentError, ConfigRefusedError
   */
  async apply(caller: KnownCaller, params: ApplyConfigParams): Promise<ConfigAppliedDto> {
    const wanted = this.judge(readDocument(params.document));
    let changes: ConfigChangeDto[] = [];
    let later: AfterCommit[] = [];
    try {
      await this.transactions.run(async (tx) => {
        [changes, later] = [[], []];
        await this.orgs.lock(caller.org.id, tx);
        for (const kind of new Set(wanted.map((one) => one.kind))) {
          const those = wanted.filter((one) => one.kind === kind);
          await this.applyKind(caller, kind, those, { prune: params.prune, changes, later }, tx);
        }
        if (params.dry_run) throw new DryRun();
      });
    } catch (error) {
      if (!(error instanceof DryRun)) throw error;
    }
    if (!params.dry_run) for (const act of later) await act();
    return { changes, applied: !params.dry_run, message: 'OK' };
  }

  private judge(objects: readonly ReadObject[]): WantedObject[] {
    const context = { now: this.clock.now(), write: true, refuseUnknown: true };
    const problems: DocumentProblem[] = [];
    const wanted = objects.flatMap((read): WantedObject[] => {
      const kind = this.kinds.find(read.kind);
      if (!kind) {
        const known = this.kinds.all().map((one) => one.kind);
        const message = `kind must be one of ${known.join(', ')}`;
        problems.push({ line: read.lineOf('kind'), code: 'not_one_of', message });
        return [];
      }
      try {
        const source = { query: {}, body: read.fields, form: false, type: kind.params };
        return [{ read, kind, params: readParameters(source, context) }];
      } catch (error) {
        if (!(error instanceof ValidationFailedError)) throw error;
        problems.push(
          ...error.details.map(({ field, code, message }) => ({ line: read.lineOf(field), code, message })),
        );
        return [];
      }
    });
    if (problems.length > 0) throw new ConfigDocumentError(problems);
    return wanted;
  }

  private async applyKind(
    caller: KnownCaller,
    kind: ConfigKind,
    wanted: readonly WantedObject[],
    { prune, changes, later }: { prune: boolean; changes: ConfigChangeDto[]; later: AfterCommit[] },
    tx: Tx,
  ): Promise<void> {
    const stored = new Map<string, ConfigObject[]>();
    for (const object of await kind.list(caller, tx)) {
      const key = kind.keyOf(object.fields);
      stored.set(key, [...(stored.get(key) ?? []), object]);
    }
    const named = new Map<string, number>();
    for (const { read, params } of wanted) {
      const fields = kind.fieldsOf(caller, params);
      const key = kind.keyOf(fields);
      const earlier = named.get(key);
      if (earlier !== undefined) {
        const message = `this is described on line ${String(earlier)} already`;
        throw new ConfigDocumentError([{ line: read.line, code: 'duplicate_parameter', message }]);
      }
      named.set(key, read.line);
      const [before] = stored.get(key)?.splice(0, 1) ?? [];
      const name = before?.name ?? nameOf(fields);
      const diff = diffOf(before?.fields ?? null, fields);
      if (before && diff === '') {
        changes.push({ kind: kind.kind, name, action: 'unchanged', diff });
        continue;
      }
      try {
        const act = before ? kind.update(caller, before.id, params, tx) : kind.create(caller, params, tx);
        later.push(await act);
      } catch (error) {
        if (error instanceof AppError) throw new ConfigRefusedError(read.line, error);
        throw error;
      }
      changes.push({ kind: kind.kind, name, action: before ? 'updated' : 'created', diff });
    }
    if (!prune || kind.isFixed) return;
    for (const { id, name, fields } of [...stored.values()].flat()) {
      later.push(await kind.remove(caller, id, tx));
      changes.push({ kind: kind.kind, name, action: 'removed', diff: diffOf(fields, null) });
    }
  }
}

/** What is empty needs not be said: it is the default. */
function saidOf(fields: ConfigObject['fields']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

function nameOf({ name, code, type, chips }: ConfigObject['fields']): string {
  if (typeof name === 'string' && name !== '') return name;
  if (typeof code === 'string') return code;
  const text = Array.isArray(chips) ? chips.join(', ') : '';
  return typeof type === 'string' ? `${type}: ${text}` : text;
}
