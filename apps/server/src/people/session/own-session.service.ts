import { Injectable } from '@nestjs/common';
import { type Caller, type UserCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { longDateTime } from '../../common/display/display.js';
import { type SessionDto } from '../user/user.dto.js';
import { UserService } from '../user/user.service.js';
import { viewerOf } from '../user/user.functions.js';
import { type LogoutDto, type OwnUserDto, type UserPingDto } from './dto/session-answers.dto.js';
import { SessionService } from './session.service.js';
import { type LoginClient } from './session.types.js';

/** The caller's own session. */
@Injectable()
export class OwnSessionService {
  constructor(
    private readonly users: UserService,
    private readonly sessions: SessionService,
    private readonly clock: Clock,
  ) {}

  async info(caller: UserCaller): Promise<OwnUserDto> {
    const session = await this.sessionOf(caller);
    return { user: session.user, session };
  }

  async ping(caller: Caller): Promise<UserPingDto> {
    const now = Math.floor(this.clock.now());
    return {
      ping: 'pong',
      session: caller.kind === 'user' ? await this.sessionOf(caller) : null,
      server_timestamp: now,
      local_time_string: longDateTime(now, caller.kind === 'anonymous' ? 'UTC' : caller.org.timezone),
    };
  }

  /** Also works without a session. */
  async logout(client: LoginClient): Promise<LogoutDto> {
    if (client.sessionId !== undefined) await this.sessions.end(client.sessionId);
    client.signOut();
    return { message: 'OK' };
  }

  private async sessionOf(caller: UserCaller): Promise<SessionDto> {
    return { id: caller.sessionId, user: await this.users.record(caller.org.id, caller.userId, viewerOf(caller)) };
  }
}
