import { type SourceDto } from './dto/source.dto.js';
import { HIDDEN } from './source-definition.js';
import { fieldsOf } from './source-fields.js';
import { type SourceWriteBackEntity } from './source-write-back.entity.js';
import { type SourceEntity } from './source.entity.js';
import { type SourceSecrets, type SourceState } from './source.types.js';

/** A source as answers show it: of secrets, which there are. */
export function toSourceDto(
  row: SourceEntity,
  { password, headers }: SourceSecrets,
  writeBack: SourceWriteBackEntity | null,
): SourceDto {
  return {
    id: row.id,
    ...fieldsOf(row),
    headers_set: Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN])),
    password_set: password !== '',
    state: stateOf(row),
    last_success_timestamp: row.lastSuccessAt === null ? null : Math.floor(row.lastSuccessAt.getTime() / 1000),
    last_error: row.lastError,
    series_count: row.seriesCount,
    points_per_interval: row.pointsPerInterval,
    watermark_timestamp: row.watermark,
    write_back_timestamp: writeBack?.watermark ?? null,
    write_back_error: writeBack?.lastError ?? null,
  };
}

function stateOf({ enabled, failures, isBackfilling }: SourceEntity): SourceState {
  if (!enabled) return 'disabled';
  if (failures > 0) return 'failing';
  return isBackfilling ? 'backfilling' : 'ok';
}
