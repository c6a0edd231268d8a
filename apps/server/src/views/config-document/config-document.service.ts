import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Document, stringify } from 'yaml';
import { isDeepStrictEqual } from 'node:util';
import { type KnownCaller } from '../../common/auth/caller.js';
import { markDryRun } from '../../common/database/dry-run.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { AppError } from '../../common/errors/app-error.js';
import { OrgService } from '../../people/org/org.service.js';
import { type ConfigFields, type ConfigObject } from '../../platform/config-kind/config-kind.types.js';
import { ConfigKindsService, type RegisteredKind } from '../../platform/config-kind/config-kinds.service.js';
import { isEmptyMeant } from '../../platform/config-kind/config-params.functions.js';
import { ConfigDocumentError, ConfigRefusedError } from './config-document.errors.js';
import { type WantedObject } from './config-document.types.js';
import { alikeBefore, describedTwice, type JudgedObject, StoredObjects } from './stored-objects.js';
import { ConfigJudgeService } from './config-judge.service.js';
import { lineOf } from './document-lines.js';
import { type ConfigAppliedDto, type ConfigChangeDto, type ConfigExportDto } from './dto/config-document.dto.js';
import { type ApplyConfigParams, type ExportConfigParams } from './dto/config-document.params.js';
import { DocumentReaderService } from './document-reader.service.js';
import { escaped, placeholderFor } from './placeholders.js';

/** Number of objects that are written without a pause. */
const IN_A_ROW = 20;

/** Rolls back the transaction of a dry run. */
class DryRun extends Error {}

interface Applying {
  prune: boolean;
  changes: ConfigChangeDto[];
}

/** Settings as documents: exports all of them, and applies a document completely or not at all. */
@Injectable()
export class ConfigDocumentService {
  constructor(
    private readonly kinds: ConfigKindsService,
    private readonly reader: DocumentReaderService,
    private readonly judge: ConfigJudgeService,
    private readonly orgs: OrgService,
    private readonly transactions: Transactions,
  ) {}

  /** Exports everything that documents can describe, in a fixed order; applying the export changes nothing. */
  async export(caller: KnownCaller, { format }: ExportConfigParams): Promise<ConfigExportDto> {
    const objects = await this.transactions.run(async (tx) => {
      const found: ConfigFields[] = [];
      for (const kind of this.kinds.all()) {
        const stored = new StoredObjects(kind.acts, await kind.acts.list(caller, tx));
        for (const { fields } of stored.oneOfEach().filter(({ isUntouched }) => isUntouched !== true))
          found.push({ kind: kind.description.kind, ...writtenOf(kind, fields) });
      }
      return found;
    });
    if (format === 'json') return { document: JSON.stringify(objects, null, 2) };
    const documents: string[] = [];
    for (const object of objects) {
      documents.push(stringify(new Document(object), { lineWidth: 0 }));
      // There may be thousands, and other requests are served between them.
      if (documents.length % IN_A_ROW === 0) await setImmediate();
    }
    return { document: documents.join('---\n') };
  }

  /**
   * Applies the differences of the document, in one transaction; a dry run does the same and rolls it back.
   * @throws ConfigDocumentError, ConfigRefusedError, OverloadedError, ClientGoneError
   */
  async apply(caller: KnownCaller, params: ApplyConfigParams): Promise<ConfigAppliedDto> {
    const wanted = await this.judge.judge(await this.reader.read(caller.org.id, params.document));
    let applying: Applying = { prune: params.prune, changes: [] };
    try {
      await this.transactions.run(async (tx) => {
        applying = { prune: params.prune, changes: [] };
        if (params.dry_run) markDryRun(tx);
        await this.orgs.lock(caller.org.id, tx);
        for (const kind of inOrder(wanted)) {
          const those = wanted.filter((one) => one.kind === kind);
          await this.applyKind(caller, kind, those, applying, tx);
        }
        if (params.dry_run) throw new DryRun();
      });
    } catch (error) {
      if (!(error instanceof DryRun)) throw error;
    }
    return { changes: applying.changes, applied: !params.dry_run, message: 'OK' };
  }

  private async applyKind(
    caller: KnownCaller,
    kind: RegisteredKind,
    wanted: readonly WantedObject[],
    applying: Applying,
    tx: Tx,
  ): Promise<void> {
    const stored = new StoredObjects(kind.acts, await kind.acts.list(caller, tx));
    const judged: JudgedObject[] = [];
    for (const one of wanted) {
      const fields = await withLine(one, async () => kind.acts.fieldsOf(caller, one.params, tx));
      judged.push({ ...one, fields });
    }
    const meant = stored.meantBy(judged);
    for (const [index, one] of judged.entries()) {
      await withLine(
        one,
        () => this.applyObject(caller, one, meant[index]!, applying, tx),
        () => alikeBefore(kind.acts, judged, index),
      );
    }
    const { description, acts } = kind;
    if (!applying.prune || description.isFixed) return;
    for (const { id, name, fields } of stored.left().filter(({ isUntouched }) => isUntouched !== true)) {
      await acts.remove(caller, id, tx);
      const diff = diffOf(withoutEmpty(kind, fields), null, secretsOf(kind, fields));
      applying.changes.push({ kind: description.kind, name, action: 'removed', diff });
    }
  }

  private async applyObject(
    caller: KnownCaller,
    { read, kind, params, standIns, ...judged }: JudgedObject,
    before: ConfigObject | null,
    { changes }: Applying,
    tx: Tx,
  ): Promise<void> {
    const { description, acts } = kind;
    let { fields } = judged;
    for (const { member, isNeeded } of standIns) {
      const kept = before?.fields[member] ?? null;
      const value = before && sentTo(kind, before.fields, member) === sentTo(kind, fields, member) ? kept : null;
      if (value === null && isNeeded) {
        const why = kept === null ? 'that is not stored here' : 'that is stored for another address';
        const message = `${member} stands for a secret ${why}: give its value`;
        throw new ConfigDocumentError([{ line: lineOf(read, member), code: 'required', message }]);
      }
      if (value !== null) Object.assign(params, { [member]: value });
    }
    if (standIns.length > 0) fields = await acts.fieldsOf(caller, params, tx);
    const isNew = before === null || before.isUntouched === true;
    const name = before?.name ?? nameOf(fields);
    const secrets = secretsOf(kind, fields);
    if (before && diffOf(before.fields, fields, secrets) === '') {
      changes.push({ kind: description.kind, name, action: 'unchanged', diff: '' });
      return;
    }
    await (before ? acts.update(caller, before.id, params, tx) : acts.create(caller, params, tx));
    const diff = isNew ? diffOf(null, withoutEmpty(kind, fields), secrets) : diffOf(before.fields, fields, secrets);
    changes.push({ kind: description.kind, name, action: isNew ? 'created' : 'updated', diff });
  }
}

/**
 * Adds the line to an error.
 * @param alike an earlier object of the document because of which it may already exist
 */
async function withLine<T>(
  one: WantedObject,
  work: () => Promise<T>,
  alike?: () => WantedObject | undefined,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error instanceof ConfigDocumentError) throw error;
    const earlier = error.code === 'already_exists' ? alike?.() : undefined;
    throw earlier ? describedTwice(one, earlier) : new ConfigRefusedError(one.read, error);
  }
}

/** Kinds that others need come first, all others are in the order of the document. */
function inOrder(wanted: readonly WantedObject[]): RegisteredKind[] {
  const kinds = [...new Set(wanted.map(({ kind }) => kind))];
  return kinds.sort((one, other) => Number(other.description.isBasis) - Number(one.description.isBasis));
}

const secretsOf = ({ acts }: RegisteredKind, fields: ConfigFields): ReadonlySet<string> =>
  new Set(acts.secretsOf?.(fields).keys());

const sentTo = ({ acts }: RegisteredKind, fields: ConfigFields, member: string): string | undefined =>
  acts.secretsOf?.(fields).get(member)?.sentTo;

/** The form in documents: without secrets. */
function writtenOf(kind: RegisteredKind, fields: ConfigFields): ConfigFields {
  const written: Record<string, unknown> = { ...escaped(withoutEmpty(kind, fields)) };
  for (const [member, { variable }] of kind.acts.secretsOf?.(fields) ?? []) {
    if (written[member] !== undefined) written[member] = placeholderFor(variable);
  }
  return written;
}

/** Omits empty members whose default is empty. */
function withoutEmpty({ description }: RegisteredKind, fields: ConfigFields): ConfigFields {
  return Object.fromEntries(
    Object.entries(fields).filter(([member, value]) => {
      if (value === null || value === '') return false;
      const isEmpty = typeof value === 'object' && Object.keys(value).length === 0;
      return !isEmpty || isEmptyMeant(description, fields, member);
    }),
  );
}

function nameOf({ name, code, service, type, chips }: ConfigFields): string {
  const called = [name, code, service].find((text) => typeof text === 'string' && text !== '');
  if (typeof called === 'string') return called;
  const text = Array.isArray(chips) ? chips.join(', ') : '';
  return typeof type === 'string' ? `${type}: ${text}` : text;
}

/**
 * One line per member that differs: `sensitivity: 1 -> 0.5`. If one of the two objects is missing, all members of the
 * other.
 * @param secrets members of which only the change is shown, not the values
 */
function diffOf(before: ConfigFields | null, after: ConfigFields | null, secrets: ReadonlySet<string>): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .flatMap((name) => {
      const [was, is] = [before?.[name] ?? null, after?.[name] ?? null];
      if (isDeepStrictEqual(was, is)) return [];
      if (secrets.has(name)) return [`${name}: ${was === null ? 'set' : is === null ? 'removed' : 'changed'}`];
      if (before === null) return [`${name}: ${JSON.stringify(is)}`];
      if (after === null) return [`${name}: ${JSON.stringify(was)}`];
      return [`${name}: ${JSON.stringify(was)} -> ${JSON.stringify(is)}`];
    })
    .join('\n');
}
