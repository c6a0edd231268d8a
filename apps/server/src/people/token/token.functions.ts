import { toFlags } from '#libs/contracts';
import { masked } from '../../common/secrets/secrets.js';
import { secondsOf } from '../../common/time.js';
import { type TokenDto } from './dto/token.dto.js';
import { type TokenEntity } from './token.entity.js';

/** The Token record. `text` is the token itself, null when its copy cannot be opened any more. */
export function toTokenDto(token: TokenEntity, text: string | null, whole: boolean): TokenDto {
  return {
    id: whole && text !== null ? text : masked(text ?? ''),
    org_id: token.orgId,
    valid_until: secondsOrNull(token.validUntil),
    permissions: toFlags(token.permissions),
    ref: token.ref,
    name: token.name,
    created_timestamp: secondsOrNull(token.createdAt) ?? 0,
    created_user_id: token.createdUserId,
    last_used_timestamp: secondsOrNull(token.lastUsedAt),
  };
}

const secondsOrNull = (date: Date | null): number | null => (date === null ? null : secondsOf(date));
