import { Controller } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnyCaller, Public } from '../../common/auth/access.decorators.js';
import { type Caller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { CacheFor } from '../../common/http/answer.decorators.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { Params } from '../../common/validation/params.decorator.js';
import { HOUR } from '../../common/time.js';
import { PhoneCodesDto, PingDto, TimeSinceDto, TimezonesDto } from './dto/misc.dto.js';
import { TimeSinceParams } from './dto/time-since.params.js';
import { StatusDto } from './dto/status.dto.js';
import { MiscService } from './misc.service.js';
import { StatusService } from './status.service.js';

const LISTS_KEPT_SECONDS = HOUR;

@ApiTags('misc')
@Controller()
export class MiscController {
  constructor(
    private readonly misc: MiscService,
    private readonly service: StatusService,
  ) {}

  @Fetch('misc/phonecodes')
  @Public()
  @CacheFor(LISTS_KEPT_SECONDS, 'public', { etag: true })
  @ApiOperation({
    summary: 'List telephone codes by country',
    description:
      'Countries in alphabetical order with ISO code and telephone code. The answer may be kept for an hour.',
  })
  @ApiEnvelope(PhoneCodesDto)
  phoneCodes(): PhoneCodesDto {
    return this.misc.phoneCodes();
  }

  @Fetch('misc/timesince')
  @Public()
  @ApiOperation({
    summary: 'Say how long ago a time was, in words',
    description:
      'The difference between now and the time in seconds and in words, such as `7 hours ago`; times to come ' +
      'are `in 5 minutes`.',
  })
  @ApiEnvelope(TimeSinceDto)
  timeSince(@Params() params: TimeSinceParams): TimeSinceDto {
    return this.misc.timeSince(params.timestamp);
  }

  @Fetch('misc/timezones')
  @Public()
  @CacheFor(LISTS_KEPT_SECONDS, 'public', { etag: true })
  @ApiOperation({
    summary: 'List the time zones that are accepted, with their present offset',
    description:
      'IANA names and UTC, by name. Only these are accepted as `timezone`; the answer may be kept for an hour.',
  })
  @ApiEnvelope(TimezonesDto)
  timezones(): TimezonesDto {
    return this.misc.timezones();
  }

  @Fetch('api/ping')
  @Public()
  @ApiOperation({
    summary: 'Check that the service answers',
    description:
      'Answers `pong` without looking at the database or the caller. For load balancers there is `/readyz` on ' +
      'the management port.',
  })
  @ApiEnvelope(PingDto)
  ping(): PingDto {
    return { ping: 'pong' };
  }

  @Fetch('status')
  @Public()
  @ApiOperation({
    summary: 'Get the state of the service',
    description:
      'Whether all is well, the version, and since when the process runs. Administrators also see each ' +
      'component with its age and message.',
  })
  @ApiEnvelope(StatusDto)
  status(@AnyCaller() caller: Caller): Promise<StatusDto> {
    return this.service.status(caller);
  }
}
