import { secondsOf } from '../../common/time.js';
import { type OrgDto } from '../org/org.dto.js';
import { mainFlags } from './onboarding-flags.functions.js';
import { type UserDto } from './user.dto.js';
import { type User, type Viewer } from './user.types.js';

/** The User record as `viewer` may see it: contact data of others is for administrators. */
export function toUserDto(user: User, org: OrgDto, viewer: Viewer): UserDto {
  const seesAll = viewer.admin || viewer.userId === user.id;
  return {
    id: user.id,
    org_id: org.id,
    name: user.name,
    email: seesAll ? (user.email ?? '') : '',
    phone_number: seesAll ? (user.phoneNumber ?? '') : null,
    chat_member_id: seesAll ? user.chatMemberId : null,
    demo: user.demo,
    admin: user.admin,
    org,
    notifications: { email_alerts: user.emailAlerts },
    onboarding_flags: mainFlags(user.onboardingFlags),
    state: user.state,
    last_login_timestamp: seesAll && user.lastLoginAt ? secondsOf(user.lastLoginAt) : null,
  };
}
