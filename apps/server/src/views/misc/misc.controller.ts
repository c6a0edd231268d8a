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
  @ApiOperation({ summary: 'List telephone codes by country' })
  @ApiEnvelope(PhoneCodesDto)
  phoneCodes(): PhoneCodesDto {
    return this.misc.phoneCodes();
  }

  @Fetch('misc/timesince')
  @Public()
  @ApiOperation({ summary: 'Say how long ago a time was, in words' })
  @ApiEnvelope(TimeSinceDto)
  timeSince(@Params() params: TimeSinceParams): TimeSinceDto {
    return this.misc.timeSince(params.timestamp);
  }

  @Fetch('misc/timezones')
  @Public()
  @CacheFor(LISTS_KEPT_SECONDS, 'public', { etag: true })
  @ApiOperation({ summary: 'List the time zones that are accepted, with their present offset' })
  @ApiEnvelope(TimezonesDto)
  timezones(): TimezonesDto {
    return this.misc.timezones();
  }

  @Fetch('ping')
  @Public()
  @ApiOperation({ summary: 'Check that the service answers' })
  @ApiEnvelope(PingDto)
  ping(): PingDto {
    return { ping: 'pong' };
  }

  @Fetch('status')
  @Public()
  @ApiOperation({ summary: 'Get the state of the service' })
  @ApiEnvelope(StatusDto)
  status(@AnyCaller() caller: Caller): Promise<StatusDto> {
    return this.service.status(caller);
  }
}
